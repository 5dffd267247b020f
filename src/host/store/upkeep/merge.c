#include "store/upkeep/merge.h"

#include "store/sql/schema.h"

/* The source store is attached as `src`. temp.moving has the keys of the batches to copy.
 * temp.moved has the keys of those runs that are not yet in this store, and their new
 * keys. */

#define MOVING "(SELECT id FROM temp.moving)"
#define WHAT_BATCHES_HAVE(key) "(SELECT " key " FROM src.batches WHERE id IN " MOVING ")"

static const char projects[] =
    "INSERT INTO main.projects (name) SELECT name FROM src.projects"
    " WHERE id IN " WHAT_BATCHES_HAVE("project_id") " ON CONFLICT DO NOTHING";

static const char builds[] =
    "INSERT INTO main.builds (project_id, version, commit_id, label)"
    " SELECT n.id, v.version, v.commit_id, v.label FROM src.builds v"
    " JOIN src.projects p ON p.id = v.project_id JOIN main.projects n ON n.name = p.name"
    " WHERE v.id IN " WHAT_BATCHES_HAVE("build_id") " ON CONFLICT DO NOTHING";

static const char devices[] =
    "INSERT INTO main.devices (serial, kind, model, release, identity)"
    " SELECT serial, kind, model, release, identity FROM src.devices"
    " WHERE id IN " WHAT_BATCHES_HAVE("device_id") " ON CONFLICT DO NOTHING";

static const char facts[] =
    "INSERT INTO main.device_facts (device_id, name, value, unit)"
    " SELECT n.id, f.name, f.value, f.unit FROM src.device_facts f"
    " JOIN src.devices d ON d.id = f.device_id"
    " JOIN main.devices n ON n.identity = d.identity"
    " WHERE d.id IN " WHAT_BATCHES_HAVE("device_id") " ON CONFLICT DO NOTHING";

static const char batches_in[] =
    "INSERT INTO main.batches (uid, project_id, build_id, device_id, name, kind,"
    " fingerprint, planned, options, objectives, group_uid, arm, run_order, repeats,"
    " excluded, dejank, began_unix_ms)"
    " SELECT b.uid, np.id, nv.id, nd.id, b.name, b.kind, b.fingerprint, b.planned,"
    " b.options, b.objectives, b.group_uid, b.arm, b.run_order, b.repeats, b.excluded,"
    " b.dejank, b.began_unix_ms FROM src.batches b"
    " JOIN src.projects p ON p.id = b.project_id JOIN main.projects np ON np.name = "
    "p.name"
    " JOIN src.devices d ON d.id = b.device_id"
    " JOIN main.devices nd ON nd.identity = d.identity"
    " JOIN src.builds v ON v.id = b.build_id"
    " JOIN main.builds nv ON nv.project_id = np.id"
    " AND coalesce(nv.version, '') = coalesce(v.version, '')"
    " AND coalesce(nv.commit_id, '') = coalesce(v.commit_id, '')"
    " AND coalesce(nv.label, '') = coalesce(v.label, '')"
    " WHERE b.id IN " MOVING " ON CONFLICT DO NOTHING";

/* Exclude the batches and runs that are excluded in the source. This includes batches and
 * runs that this store had before the merge. */
static const char batches_excluded[] =
    "UPDATE main.batches SET excluded = (SELECT o.excluded FROM src.batches o"
    " WHERE o.uid = main.batches.uid) WHERE excluded IS NULL AND uid IN"
    " (SELECT uid FROM src.batches WHERE excluded IS NOT NULL AND id IN " MOVING ")";

static const char runs_excluded[] =
    "UPDATE main.runs SET excluded = (SELECT o.excluded FROM src.runs o"
    " WHERE o.uid = main.runs.uid) WHERE excluded IS NULL AND uid IN"
    " (SELECT uid FROM src.runs WHERE excluded IS NOT NULL AND batch_id IN " MOVING ")";

static const char windows[] =
    "INSERT INTO main.windows (run_id, ordinal, name, start_dev_ns, end_dev_ns)"
    " SELECT m.new_id, w.ordinal, w.name, w.start_dev_ns, w.end_dev_ns FROM temp.moved m"
    " JOIN src.windows w ON w.run_id = m.id";

#define NEW_WINDOWS                                                                      \
    " FROM temp.moved m JOIN src.windows w ON w.run_id = m.id"                           \
    " JOIN main.windows n ON n.run_id = m.new_id AND n.ordinal = w.ordinal"

#define METRIC_OF_OLD(symbol, name, sense, about) "o." #name ", "
static const char metrics[] =
    "INSERT INTO main.metrics (" DJ_METRIC_COLUMNS
    ") SELECT " DJ_METRIC_MAP(METRIC_OF_OLD) "n.id" NEW_WINDOWS
                                             " JOIN src.metrics o ON o.window_id = w.id";

/* Like `metrics`, for sources that lack newer metrics. */
static const char metrics_of_version_3[] =
    "INSERT INTO main.metrics (" DJ_METRIC_MAP_1(DJ_METRIC_COLUMN_NAME) //
    DJ_METRIC_MAP_2(DJ_METRIC_COLUMN_NAME)                              //
    "window_id) SELECT " DJ_METRIC_MAP_1(METRIC_OF_OLD)
        DJ_METRIC_MAP_2(METRIC_OF_OLD) "n.id" NEW_WINDOWS
                                       " JOIN src.metrics o ON o.window_id = w.id";
static const char metrics_of_version_1[] =
    "INSERT INTO main.metrics (" DJ_METRIC_MAP_1(DJ_METRIC_COLUMN_NAME) //
    "window_id) SELECT " DJ_METRIC_MAP_1(
        METRIC_OF_OLD) "n.id" NEW_WINDOWS " JOIN src.metrics o ON o.window_id = w.id";

static const char *get_metrics_statement(int64_t version)
{
    return version >= DJ_SCHEMA_SURFACE ? metrics
           : version >= DJ_SCHEMA_JANK  ? metrics_of_version_3
                                        : metrics_of_version_1;
}

static const char histograms[] = "INSERT INTO main.histograms (window_id, kind, counts)"
                                 " SELECT n.id, o.kind, o.counts" NEW_WINDOWS
                                 " JOIN src.histograms o ON o.window_id = w.id";

static const char conditions[] =
    "INSERT INTO main.conditions (run_id, moment, ordinal, name, value, text, unit)"
    " SELECT m.new_id, o.moment, o.ordinal, o.name, o.value, o.text, o.unit"
    " FROM temp.moved m JOIN src.conditions o ON o.run_id = m.id";

#define NEW_BLOBS                                                                        \
    " FROM src.blobs x WHERE x.id IN (SELECT e.blob_id FROM temp.moved m"                \
    " JOIN src.evidence e ON e.run_id = m.id)"                                           \
    " AND x.sha256 NOT IN (SELECT sha256 FROM main.blobs)"

static const char blob_bytes[] = "SELECT coalesce(sum(length(x.data)), 0)" NEW_BLOBS;
static const char blobs[] = "INSERT INTO main.blobs (sha256, size, encoding, data)"
                            " SELECT x.sha256, x.size, x.encoding, x.data" NEW_BLOBS;

static const char evidence[] =
    "INSERT INTO main.evidence (run_id, ordinal, kind, name, blob_id)"
    " SELECT m.new_id, e.ordinal, e.kind, e.name, n.id FROM temp.moved m"
    " JOIN src.evidence e ON e.run_id = m.id JOIN src.blobs x ON x.id = e.blob_id"
    " JOIN main.blobs n ON n.sha256 = x.sha256";

/* If all batches of the source are copied, all series and blessings are copied, too.
 * Otherwise only the blessings of the batches' projects are copied. */
#define WHOLE "(SELECT count(*) FROM temp.moving) = (SELECT count(*) FROM src.batches)"
#define PROJECTS_OF(table)                                                               \
    "INSERT INTO main.projects (name) SELECT name FROM src.projects"                     \
    " WHERE id IN (SELECT project_id FROM src." table ") AND " WHOLE                     \
    " ON CONFLICT DO NOTHING"

static const char series[] =
    "INSERT INTO main.series (identity, project_id, metric, unit, sense, flow, device,"
    " release, config)"
    " SELECT s.identity, n.id, s.metric, s.unit, s.sense, s.flow, s.device, s.release,"
    " s.config FROM src.series s JOIN src.projects p ON p.id = s.project_id"
    " JOIN main.projects n ON n.name = p.name WHERE " WHOLE " ON CONFLICT DO NOTHING";

static const char points[] =
    "INSERT INTO main.points (series_id, ordinal, at_unix_ms, version, commit_id, value,"
    " source)"
    " SELECT n.id, o.ordinal, o.at_unix_ms, o.version, o.commit_id, o.value, o.source"
    " FROM src.points o JOIN src.series s ON s.id = o.series_id"
    " JOIN main.series n ON n.identity = s.identity WHERE " WHOLE
    " ORDER BY o.id ON CONFLICT DO NOTHING";

static const char blessings[] =
    "INSERT INTO main.blessings (uid, project_id, metric, segment, direction,"
    " from_unix_ms, from_ordinal, from_point, who, why, made_unix_ms, withdrawn)"
    " SELECT o.uid, n.id, o.metric, o.segment, o.direction, o.from_unix_ms,"
    " o.from_ordinal, o.from_point, o.who, o.why, o.made_unix_ms, o.withdrawn"
    " FROM src.blessings o JOIN src.projects p ON p.id = o.project_id"
    " JOIN main.projects n ON n.name = p.name WHERE " WHOLE
    " OR p.id IN " WHAT_BATCHES_HAVE("project_id") " ON CONFLICT DO NOTHING";

/* Withdraws the blessings that are withdrawn in the source. This includes blessings that
 * this store had before the merge. */
static const char blessings_withdrawn[] =
    "UPDATE main.blessings SET withdrawn = (SELECT o.withdrawn FROM src.blessings o"
    " WHERE o.uid = main.blessings.uid) WHERE withdrawn IS NULL AND uid IN"
    " (SELECT uid FROM src.blessings WHERE withdrawn IS NOT NULL)";

static const char new_runs[] =
    "INSERT INTO temp.moved (id) SELECT r.id FROM src.runs r WHERE r.batch_id IN " MOVING
    " AND NOT EXISTS (SELECT 1 FROM main.runs t WHERE t.uid = r.uid)";

static const char free_attempt[] =
    "SELECT CASE WHEN EXISTS (SELECT 1 FROM main.runs t WHERE t.batch_id = nb.id"
    " AND t.warmup = r.warmup AND t.number = r.number AND t.attempt = r.attempt)"
    " THEN (SELECT max(t.attempt) + 1 FROM main.runs t WHERE t.batch_id = nb.id"
    " AND t.warmup = r.warmup AND t.number = r.number) ELSE r.attempt END"
    " FROM src.runs r JOIN src.batches b ON b.id = r.batch_id"
    " JOIN main.batches nb ON nb.uid = b.uid WHERE r.id = ?";

static const char run_in[] =
    "INSERT INTO main.runs (uid, batch_id, number, attempt, warmup, order_index, outcome,"
    " reason, excluded, started_unix_ms, duration_ns, release, figures_version)"
    " SELECT r.uid, nb.id, r.number, ?2, r.warmup, r.order_index, r.outcome, r.reason,"
    " r.excluded, r.started_unix_ms, r.duration_ns, r.release, r.figures_version"
    " FROM src.runs r JOIN src.batches b ON b.id = r.batch_id"
    " JOIN main.batches nb ON nb.uid = b.uid WHERE r.id = ?1 RETURNING id";

static int copy_run(struct dj_store *into, int64_t run,
                    struct dj_store_copy_counts *moved, struct dj_error *err)
{
    int64_t had;
    int64_t attempt;
    int64_t key;
    int code = dj_sql_int(into, &had, err, "SELECT attempt FROM src.runs WHERE id = ?",
                          "i", run);
    if (code != 0 ||
        (code = dj_sql_int(into, &attempt, err, free_attempt, "i", run)) != 0 ||
        (code = dj_sql_int(into, &key, err, run_in, "ii", run, attempt)) != 0) {
        return code;
    }
    moved->runs++;
    moved->renumbered_runs += attempt != had;
    return dj_sql_run(into, err, "UPDATE temp.moved SET new_id = ? WHERE id = ?", "ii",
                      key, run);
}

static int copy_runs(struct dj_store *into, struct dj_store_copy_counts *moved,
                     struct dj_error *err)
{
    static const char next_run[] = "SELECT min(id) FROM temp.moved WHERE id > ?";
    int64_t run = 0;
    int code = dj_sql_int(into, &moved->known_runs, err,
                          "SELECT count(*) FROM src.runs r WHERE r.batch_id IN " MOVING
                          " AND r.uid IN (SELECT uid FROM main.runs)",
                          "");
    code = code == 0 ? dj_sql_run(into, err, new_runs, "") : code;
    while (code == 0 && (code = dj_sql_next(into, &run, next_run, err)) == 1) {
        code = copy_run(into, run, moved, err);
    }
    return code;
}

static int copy_figures(struct dj_store *into, const struct dj_store *from,
                        struct dj_error *err)
{
    static const char *const statements[] = {
        PROJECTS_OF("series"), PROJECTS_OF("blessings"), series, points, blessings,
        blessings_withdrawn};
    return from->version >= DJ_SCHEMA_FIGURES
               ? dj_sql_run_all(into, statements, COUNT_OF(statements), err)
               : 0;
}

static int copy_all(struct dj_store *into, const struct dj_store *from,
                    struct dj_store_copy_counts *moved, struct dj_error *err)
{
    static const char *const before[] = {projects, builds, devices, facts};
    const char *const figures[] = {windows, get_metrics_statement(from->version),
                                   histograms, conditions};
    static const char *const after[] = {evidence, batches_excluded, runs_excluded};
    int code = dj_sql_run_all(into, before, COUNT_OF(before), err);
    if (code != 0 ||
        (code = dj_sql_change(into, &moved->batches, err, batches_in, "")) != 0 ||
        (code = copy_runs(into, moved, err)) != 0 ||
        (code = dj_sql_run_all(into, figures, COUNT_OF(figures), err)) != 0 ||
        (code = dj_sql_int(into, &moved->evidence_bytes, err, blob_bytes, "")) != 0 ||
        (code = dj_sql_change(into, &moved->evidence, err, blobs, "")) != 0 ||
        (code = dj_sql_run_all(into, after, COUNT_OF(after), err)) != 0) {
        return code;
    }
    return copy_figures(into, from, err);
}

struct merge_request {
    struct dj_store *from;
    const int64_t *batches;
    size_t count;
    struct dj_store_copy_counts *moved;
};

static int choose_batches(struct dj_store *into,
                          const struct merge_request *merge_request, struct dj_error *err)
{
    static const char *const tables[] = {
        "DROP TABLE IF EXISTS temp.moved",
        "CREATE TEMP TABLE moved (id INTEGER PRIMARY KEY, new_id INTEGER)"};
    int code = dj_merge_source_choose(into, "src.batches", merge_request->batches,
                                      merge_request->count, err);
    return code == 0 ? dj_sql_run_all(into, tables, COUNT_OF(tables), err) : code;
}

/* Merges the batches. Rows are identified by their ids, so a second merge changes
 * nothing. */
static int merge_in_transaction(struct dj_store *into, void *data, struct dj_error *err)
{
    const struct merge_request *merge_request = data;
    *merge_request->moved = (struct dj_store_copy_counts){0};
    int code = dj_merge_source_fill(into, merge_request->from, merge_request->batches,
                                    merge_request->count, err);
    code = code == 0 ? choose_batches(into, merge_request, err) : code;
    return code == 0 ? copy_all(into, merge_request->from, merge_request->moved, err)
                     : code;
}

int dj_merge_batches(struct dj_store *into, struct dj_store *from, const int64_t *batches,
                     size_t count, struct dj_store_copy_counts *moved,
                     struct dj_error *err)
{
    struct merge_request merge_request = {from, batches, count, moved};
    const struct dj_sql_work work = {merge_in_transaction, NULL, &merge_request};
    *moved = (struct dj_store_copy_counts){0};
    int code = dj_merge_source_open(into, from, err);
    if (code != 0) {
        return code;
    }
    code = dj_sql_write(into, &work, err);
    dj_merge_source_close(into);
    if (code != 0) {
        *moved = (struct dj_store_copy_counts){0};
    }
    dj_sql_count_written(into, moved->runs);
    return code;
}
