/* Reads a run of the store for its page and its JSON. */
#ifndef DEJANK_SERVE_RUN_DATA_H
#define DEJANK_SERVE_RUN_DATA_H

#include "serve/router.h"
#include "store/loaded_batch.h"

/* Initialise it with zeros. */
struct dj_run_data {
    struct dj_loaded_batch batch;
    const struct dj_run_row *run;     /* A run of `batch`. */
    struct dj_text gfxinfo;           /* Empty if the store has none. */
    const struct dj_dialect *release; /* NULL if the gfxinfo shows it. */
};

/* Reads the run with this number. Call dj_serve_finish_run() in every case. */
int dj_serve_read_run(const struct dj_call *call, const char *word,
                      struct dj_run_data *data, struct dj_error *err);
void dj_serve_finish_run(struct dj_run_data *data);

#endif
