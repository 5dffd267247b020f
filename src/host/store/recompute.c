#include "store/schema.h"
#include "store/store_figures.h"
#include "store/upkeep.h"

static int same_run(struct dj_history *store, const struct dj_stored_run *stored,
                    bool *same, struct dj_error *err)
{
    int code = 0;
    *same = true;
    for (size_t i = 0; i < stored->count && code == 0 && *same; i++) {
        code = dj_store_same_figures(store, stored->windows[i], &stored->figures[i], same,
                                     err);
    }
    return code;
}

static int replace_window(struct dj_history *store, int64_t window,
                          const struct dj_window_figures *figures, struct dj_error *err)
{
    int code =
        dj_sql_run(store, err, "DELETE FROM metrics WHERE window_id = ?", "i", window);
    code = code == 0
               ? dj_sql_run(store, err, "DELETE FROM histograms WHERE window_id = ?", "i",
                            window)
               : code;
    return code == 0 ? dj_store_put_figures(store, window, figures, err) : code;
}

struct replacing {
    int64_t run;
    const struct dj_stored_run *stored;
};

static int replace_run(struct dj_history *store, void *data, struct dj_error *err)
{
    const struct replacing *replacing = data;
    const struct dj_stored_run *stored = replacing->stored;
    int64_t run = replacing->run;
    int64_t there;
    int code = dj_sql_int(store, &there, err, "SELECT count(*) FROM runs WHERE id = ?",
                          "i", run);
    for (size_t i = 0; i < stored->count && code == 0 && there != 0; i++) {
        code = replace_window(store, stored->windows[i], &stored->figures[i], err);
    }
    return code == 0 ? dj_sql_run(store, err,
                                  "UPDATE runs SET figures_version = ? WHERE id = ?",
                                  "ii", (int64_t)DJ_FIGURES_VERSION, run)
                     : code;
}

static int recompute_run(struct dj_history *store, int64_t run,
                         struct dj_history_recomputed *done, struct dj_error *err)
{
    struct dj_stored_run stored = {0};
    bool same = true;
    int64_t version;
    int code = dj_sql_int(store, &version, err,
                          "SELECT figures_version FROM runs WHERE id = ?", "i", run);
    code = code == 0 ? dj_stored_run_read(store, run, &stored, err) : code;
    code = code == 0 ? same_run(store, &stored, &same, err) : code;
    if (code == 0 && (!same || version != DJ_FIGURES_VERSION)) {
        struct replacing replacing = {run, &stored};
        const struct dj_sql_work work = {replace_run, NULL, &replacing};
        code = dj_sql_write(store, &work, err);
    }
    done->runs += code == 0;
    done->changed += code == 0 && !same;
    dj_stored_run_finish(&stored);
    return code;
}

int dj_history_recompute(struct dj_history *store, struct dj_history_recomputed *done,
                         struct dj_error *err)
{
    static const char next_run[] = "SELECT min(id) FROM runs WHERE id > ?";
    int64_t run = 0;
    int code = 0;
    *done = (struct dj_history_recomputed){0};
    while (code == 0 && (code = dj_sql_next(store, &run, next_run, err)) == 1) {
        code = recompute_run(store, run, done, err);
    }
    return code;
}
