// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.api.json.JsonReader;
import io.gpuagent.agent.api.json.JsonValue;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tables out of documents as docs/api/mig.md has them. */
class MigTablesTest {
    private final MigTables tables = new MigTables(true);

    private static JsonValue json(String text) throws Exception {
        return JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void check(String golden, String text) throws Exception {
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        Golden.check(golden, text);
    }

    @Test
    void instancesWithTheirPartsAndOneThatIsHalfMade() throws Exception {
        check("mig-list.txt", tables.layout(json("""
                {"gpu": 0, "model": "NVIDIA H200", "enabled": true, "pending": true,
                 "unfinished": "a change of 2026-12-01T03:21:40Z was cut off",
                 "instances": [
                  {"gpu_instance_id": 9, "profile": "1g.18gb", "start": 2, "size": 1, "compute_instances": []},
                  {"gpu_instance_id": 2, "profile": "3g.71gb", "start": 4, "size": 4, "compute_instances": [
                   {"compute_instance_id": 0, "profile": "1c.3g.71gb", "uuid": "MIG-a6a6e48b-7c75-3fa3-ae7f-e7ef3c6fa301"},
                   {"compute_instance_id": 1, "profile": "2c.3g.71gb", "uuid": "MIG-74bc35dd-056d-3e92-94d9-75ff615cff70"}]}],
                 "text": "the map\\n"}""")));
    }

    @Test
    void aModeThatWaitsForAReset() throws Exception {
        assertThat(tables.layout(json("""
                {"gpu": 1, "enabled": false, "pending": true, "instances": []}"""))).isEqualTo("GPU 1: MIG off, on after a reset or reboot\n");
    }

    @Test
    void whoUsesWhichInstance() throws Exception {
        check("mig-holders.txt", tables.holders(json("""
                {"gpu": 0, "instances": [
                 {"gpu_instance_id": 9, "profile": "1g.18gb", "start": 2, "holders": []},
                 {"gpu_instance_id": 2, "profile": "3g.71gb", "start": 4, "holders": [
                  {"kind": "runs", "compute_instance_id": 0,
                   "words": "process 4711 (python, unit train.service) runs on it"},
                  {"kind": "not_visible", "words": "who uses it cannot be seen: other users' processes need root"}]}]}""")));
        assertThat(tables.holders(json("{\"gpu\": 3}"))).isEqualTo("GPU 3 has no GPU instances.\n");
    }

    @Test
    void whatWasChanged() throws Exception {
        check("mig-history.txt", tables.history(json("""
                {"gpu": 0, "changes": [
                 {"number": 2, "at": "2026-12-01T03:21:40.250Z", "before": ["3g.71gb@4"], "after": []},
                 {"number": 1, "at": "2026-12-01T03:20:00Z", "before": [], "after": ["3g.71gb@4", "1g.18gb@3"]}]}""")));
    }

    @Test
    void operationsNewestFirst() throws Exception {
        check("mig-operations.txt", tables.operations(json("""
                {"operations": [
                 {"id": "op-5f0c3a9b", "kind": "apply", "state": "rolled-back", "created_at": "2026-12-01T03:21:40.250Z",
                  "sentence": "GPU 1: NVML returned NVML_ERROR_IN_USE; done before and left so: GPU 0",
                  "gpus": [{"gpu": 0}, {"gpu": 1}]},
                 {"id": "op-00000001", "kind": "adopt", "state": "running", "created_at": "2026-12-01T03:20:00Z",
                  "gpus": [{"gpu": 0}, {"gpu": 0}]}]}""")));
        assertThat(tables.operations(json("{}"))).isEqualTo("No operation since the agent's start.\n");
    }
}
