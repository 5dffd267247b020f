/* Reads a run of the store for the page of the run and for its JSON. */
#ifndef DEJANK_SERVE_RUN_DATA_H
#define DEJANK_SERVE_RUN_DATA_H

#include "serve/router.h"
#include "store/loaded_batch.h"

/* The data of a run. Zero the struct before use. */
struct dj_run_data {
    struct dj_loaded_batch batch;
    const struct dj_run_row *run; /* The run. It points into `batch`. */
    /* Text of gfxinfo, or empty if the store does not contain it. */
    struct dj_text gfxinfo;
    /* Release of the gfxinfo text, or NULL if the text itself shows it. */
    const struct dj_dialect *release;
};

/* Reads the run with the number in `word`. Call dj_serve_finish_run() even after an
 * error. */
int dj_serve_read_run(const struct dj_call *call, const char *word,
                      struct dj_run_data *data, struct dj_error *err);
void dj_serve_finish_run(struct dj_run_data *data);

#endif
