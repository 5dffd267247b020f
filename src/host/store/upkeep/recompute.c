#include "store/figures/figures.h"
#include "store/sql/schema.h"
#include "store/upkeep.h"

static int compare_run(struct dj_store *store, const struct dj_figures_source *stored,
                       bool *same, struct dj_error *err)
{
    int code = 0;
    *same = true;
    for (size_t i = 0; i < stored->count && code == 0 && *same; i++) {
        code =
            dj_figures_compare(store, stored->windows[i], &stored->figures[i], same, err);
    }
    return code;
}

static int replace_window(struct dj_store *store, int64_t window,
                          const struct dj_window_figures *figures, struct dj_error *err)
{
    int code =
        dj_sql_run(store, err, "DELETE FROM metrics WHERE window_id = ?", "i", window);
    code = code == 0
               ? dj_sql_run(store, err, "DELETE FROM histograms WHERE window_id = ?", "i",
                            window)
               : code;
    return code == 0 ? dj_figures_insert(store, window, figures, err) : code;
}

struct replacement {
    int64_t run;
    const struct dj_figures_source *stored;
};

static int replace_run(struct dj_store *store, void *data, struct dj_error *err)
{
    const struct replacement *replacement = data;
    const struct dj_figures_source *stored = replacement->stored;
    int64_t run = replacement->run;
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

static int recompute_run(struct dj_store *store, int64_t run,
                         struct dj_store_recompute_result *done, struct dj_error *err)
{
    struct dj_figures_source stored = {0};
    bool same = true;
    int64_t version;
    int code = dj_sql_int(store, &version, err,
                          "SELECT figures_version FROM runs WHERE id = ?", "i", run);
    code = code == 0 ? dj_figures_source_read(store, run, &stored, err) : code;
    code = code == 0 ? compare_run(store, &stored, &same, err) : code;
    if (code == 0 && (!same || version != DJ_FIGURES_VERSION)) {
        struct replacement replacement = {run, &stored};
        const struct dj_sql_work work = {replace_run, NULL, &replacement};
        code = dj_sql_write(store, &work, err);
    }
    done->runs += code == 0;
    done->changed += code == 0 && !same;
    dj_figures_source_finish(&stored);
    return code;
}

int dj_store_recompute(struct dj_store *store, struct dj_store_recompute_result *done,
                       struct dj_error *err)
{
    static const char next_run[] = "SELECT min(id) FROM runs WHERE id > ?";
    int64_t run = 0;
    int code = 0;
    *done = (struct dj_store_recompute_result){0};
    while (code == 0 && (code = dj_sql_next(store, &run, next_run, err)) == 1) {
        code = recompute_run(store, run, done, err);
    }
    return code;
}
