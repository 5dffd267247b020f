#include <inttypes.h>

#include "base/json.h"
#include "fleet/commands/commands.h"
#include "fleet/schema.h"
#include "memory/memory.h"

static void write_answer(struct dj_fleet_job *job,
                         const struct dj_fleet_init_result *results)
{
    struct dj_document *document = &job->answer->document;
    struct dj_text *json = &job->answer->json, words = {0};
    size_t made = 0;
    dj_json_open_document(json, "dejank.fleet-init/1");
    dj_json_add_string(json, "cluster", job->cluster.name);
    dj_json_open_array(json, "shards");
    for (size_t i = 0; i < job->cluster.count; i++) {
        made += results[i].is_new;
        dj_json_open_object(json, NULL);
        dj_json_add_string(json, "url", job->cluster.shards[i].label);
        dj_json_add_bool(json, "created", results[i].is_new);
        dj_json_add_int(json, "version", DJ_FLEET_SCHEMA_VERSION);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]}\n");
    dj_text_format(&words, "The fleet is ready: %zu of %zu shards got new tables", made,
                   job->cluster.count);
    dj_document_set_title(document, "Fleet — dejank");
    dj_document_add_verdict(document, DJ_TONE_GOOD, &words);
    for (size_t i = 0; i < job->cluster.count; i++) {
        dj_text_format(&words, "%s: %s, version %d", job->cluster.shards[i].label,
                       results[i].is_new ? "created the database 'dejank'"
                       : results[i].version_before < DJ_FLEET_SCHEMA_VERSION
                           ? "upgraded its tables; run 'dejank fleet rollup'"
                           : "its tables exist, nothing changed",
                       DJ_FLEET_SCHEMA_VERSION);
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
    dj_document_add_command(document, "dejank fleet push FILE", "sends sessions");
}

int dj_fleet_run_init(struct dj_fleet_job *job)
{
    struct dj_fleet_init_result *results =
        dj_xcalloc(job->cluster.count, sizeof(*results));
    int code = dj_fleet_create_schema(&job->cluster, results, job->err);
    if (code == 0) {
        write_answer(job, results);
    }
    free(results);
    return code;
}
