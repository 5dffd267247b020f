#include "serve/run_data.h"

#include "serve/pages/page.h"
#include "store/run_evidence.h"

int dj_serve_read_run(const struct dj_call *call, const char *word,
                      struct dj_run_data *data, struct dj_error *err)
{
    int64_t run, batch;
    int code = dj_serve_find_run(call, word, &run, &batch, err);
    code = code == 0 ? dj_store_load_batch(call->store, batch, &data->batch, err) : code;
    for (size_t i = 0; i < data->batch.run_count; i++) {
        data->run = data->batch.runs[i].key == run ? &data->batch.runs[i] : data->run;
    }
    if (code == 0 && data->run == NULL) {
        code = dj_error_set(err, DJ_E_NO_DATA, "the batch has no run with this number");
    }
    if (code == 0) {
        code = dj_store_read_run_evidence(call->store, run, DJ_EVIDENCE_GFXINFO,
                                          &data->gfxinfo, err);
        code = code == DJ_E_NOT_FOUND ? 0 : code;
        data->release =
            data->run->release != NULL ? dj_frame_dialect_find(data->run->release) : NULL;
    }
    return code;
}

void dj_serve_finish_run(struct dj_run_data *data)
{
    dj_store_loaded_batch_finish(&data->batch);
    dj_text_finish(&data->gfxinfo);
    *data = (struct dj_run_data){.run = NULL};
}
