#include "cli/store_job.h"

#include "base/json.h"

int dj_store_open(struct dj_store_job *job, enum dj_history_mode mode)
{
    return dj_history_open(job->values->store, mode, &job->history, &job->err);
}

void dj_store_begin_json(struct dj_store_job *job, const char *what, const char *array)
{
    if (job->values->json) {
        dj_json_open_document(&job->text, "dejank.store/1");
        dj_json_put_string(&job->text, "did", what);
    }
    if (job->values->json && array != NULL) {
        dj_json_open_array(&job->text, array);
    }
}

void dj_store_close_array(struct dj_store_job *job)
{
    if (job->values->json) {
        dj_json_close(&job->text, "]");
    }
}

void dj_store_end_json(struct dj_store_job *job)
{
    if (job->values->json) {
        dj_json_close(&job->text, "}\n");
    }
}

void dj_store_put_count(struct dj_text *text, const char *before, int64_t count,
                        const char *one, const char *many)
{
    dj_text_format(text, "%s%lld %s", before, (long long)count, count == 1 ? one : many);
}
