#include "cli/store_job.h"

#include "base/json.h"

void dj_store_begin_json(struct dj_store_job *job, const char *what)
{
    if (job->values->json) {
        dj_json_open_object(&job->text, NULL);
        dj_json_put_string(&job->text, "schema", "dejank.store/1");
        dj_json_put_string(&job->text, "did", what);
    }
}

void dj_store_end_json(struct dj_store_job *job)
{
    if (job->values->json) {
        dj_json_close(&job->text, "}\n");
    }
}

const char *dj_plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}
