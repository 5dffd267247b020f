/*
 * `dejank fleet rollup`: merges the sessions of each week into one part, and sums it up.
 *
 * The rows of a roll-up name the part that they sum up, and a part never changes. So a
 * roll-up is never wrong, whatever happens at the same time: if the part was replaced by
 * another one, the roll-up is not used.
 */
#include <inttypes.h>
#include <unistd.h>

#include "base/json.h"
#include "base/units.h"
#include "fleet/commands/commands.h"
#include "fleet/query.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum { DAY_S = 24 * 3600 };

enum { MERGE_TRIES = 40 };
#define MERGE_PAUSE_NS (250 * DJ_MILLISECOND_NS)

/* A week that is rolled up. Both arrays have one element per shard. */
struct week {
    const struct dj_fleet_job *job;
    int64_t monday;
    struct dj_text *sql; /* The next statement, or empty. */
    const char **parts;  /* The part to sum up, or NULL. */
};

static void add_monday(int64_t **mondays, size_t *count, int64_t monday)
{
    for (size_t i = 0; i < *count; i++) {
        if ((*mondays)[i] == monday) {
            return;
        }
    }
    DJ_XPUSH(*mondays, *count, monday);
}

/* Finds the weeks that have sessions which no roll-up contains. */
static void find_weeks(const struct dj_fleet_state *state, int64_t **mondays,
                       size_t *count)
{
    for (size_t i = 0; i < state->count; i++) {
        for (size_t k = 0; k < state->shards[i].week_count; k++) {
            const struct dj_fleet_week *week = &state->shards[i].weeks[k];
            if (!dj_fleet_week_is_done(week)) {
                add_monday(mondays, count, week->monday);
            }
        }
    }
}

/* Runs the statements of the shards at the same time, and clears them. */
static int run_on_shards(struct dj_fleet_job *job, const struct week *week)
{
    struct dj_cluster *cluster = &job->cluster;
    int code = 0;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        if (week->sql[i].length > 0) {
            code = dj_fleet_cluster_start(cluster, i, dj_xtext(&week->sql[i]),
                                          (struct dj_str){0}, job->err);
        }
    }
    for (size_t i = 0; i < cluster->count; i++) {
        const struct dj_error *failure = &cluster->shards[i].error;
        if (week->sql[i].length == 0) {
            continue;
        }
        dj_fleet_cluster_wait(cluster, i);
        if (code == 0 && failure->code != 0) {
            code = dj_error_set(job->err, failure->code, "%s", failure->message);
        }
        dj_text_clear(&week->sql[i]);
    }
    return code;
}

/* Merges the sessions of the week into one part per shard. */
static int merge_week(struct dj_fleet_job *job, const struct week *week,
                      const struct dj_fleet_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        const struct dj_fleet_week *own =
            dj_fleet_find_week(&state->shards[i], week->monday);
        if (own != NULL && (own->part_count > 1 || !own->has_base)) {
            dj_text_add(&week->sql[i],
                        "OPTIMIZE TABLE dejank.sessions_local PARTITION '");
            dj_session_append_day(&week->sql[i], week->monday);
            dj_text_add(&week->sql[i], "' FINAL");
        }
    }
    return run_on_shards(job, week);
}

/* Finds the part to sum up on each shard. Returns a shard that has not merged the week,
 * or the number of shards. */
static size_t find_parts(const struct dj_fleet_state *state, struct week *week)
{
    for (size_t i = 0; i < state->count; i++) {
        const struct dj_fleet_week *own =
            dj_fleet_find_week(&state->shards[i], week->monday);
        if (own != NULL && !own->has_base) {
            return i;
        }
        week->parts[i] = own != NULL && !(own->is_rolled[0] && own->is_rolled[1])
                             ? own->parts[0].name
                             : NULL;
    }
    return state->count;
}

static int read_weeks(struct dj_fleet_job *job, struct dj_fleet_state *state)
{
    int code = dj_fleet_read_state(&job->cluster, false, state, job->err);
    return code == 0 ? dj_fleet_read_weeks(&job->cluster, state, job->err) : code;
}

/* Merges the week and reads the new state. A server does not merge while it merges the
 * week already, or if its disk has too little free space. */
static int merge_and_find_parts(struct dj_fleet_job *job, struct week *week,
                                struct dj_fleet_state *state)
{
    int code = read_weeks(job, state);
    size_t failed = 0;
    for (int i = 0; i < MERGE_TRIES && code == 0; i++) {
        if (i > 0) {
            dj_host_sleep_ns(MERGE_PAUSE_NS);
        }
        code = merge_week(job, week, state);
        dj_fleet_state_finish(state);
        code = code == 0 ? read_weeks(job, state) : code;
        failed = code == 0 ? find_parts(state, week) : 0;
        if (code != 0 || failed == state->count) {
            return code;
        }
    }
    return code != 0 ? code
                     : dj_error_set(job->err, DJ_E_LIMIT,
                                    "shard %s did not merge the sessions of a week. Does "
                                    "its disk have as much free space as the week needs?",
                                    job->cluster.shards[failed].label);
}

/* Appends the name of a staging table of this command. Each command has its own, so that
 * commands that run at the same time do not mix their rows. */
static void append_staging(struct dj_text *sql, const struct dj_fleet_job *job,
                           const struct dj_fleet_rollup *rollup)
{
    dj_text_format(sql, "dejank.%s_next_%" PRId64 "_%d", rollup->table, job->begun_unix_s,
                   (int)getpid());
}

/* Runs a statement for each roll-up on the shards that have a part to sum up, the finest
 * roll-up first. */
static int run_for_rollups(struct dj_fleet_job *job, const struct week *week,
                           void (*append)(struct dj_text *sql, const struct week *week,
                                          size_t shard,
                                          const struct dj_fleet_rollup *rollup))
{
    int code = 0;
    for (size_t k = DJ_FLEET_ROLLUPS; k-- > 0 && code == 0;) {
        for (size_t i = 0; i < job->cluster.count; i++) {
            if (week->parts[i] != NULL) {
                append(&week->sql[i], week, i, &dj_fleet_rollups[k]);
            }
        }
        code = run_on_shards(job, week);
    }
    return code;
}

/* The roll-up with the fewest rows is computed from the finer one. */
static void append_fill(struct dj_text *sql, const struct week *week, size_t shard,
                        const struct dj_fleet_rollup *rollup)
{
    const struct dj_fleet_rollup *finest = &dj_fleet_rollups[DJ_FLEET_ROLLUPS - 1];
    struct dj_text source = {0};
    dj_text_add(sql, "INSERT INTO ");
    append_staging(sql, week->job, rollup);
    dj_text_add(sql, " ");
    if (rollup == finest) {
        dj_text_format(&source, "'%s'", week->parts[shard]);
        dj_fleet_append_part_sums(sql, rollup, dj_xtext(&source), true);
    } else {
        append_staging(&source, week->job, finest);
        dj_text_format(&source, " WHERE part = '%s'", week->parts[shard]);
        dj_fleet_append_coarser_sums(sql, rollup, dj_xtext(&source), true);
    }
    dj_text_finish(&source);
}

static void append_replace(struct dj_text *sql, const struct week *week, size_t shard,
                           const struct dj_fleet_rollup *rollup)
{
    (void)shard;
    dj_text_format(sql, "ALTER TABLE dejank.%s REPLACE PARTITION '", rollup->table);
    dj_session_append_day(sql, week->monday);
    dj_text_add(sql, "' FROM ");
    append_staging(sql, week->job, rollup);
}

/* Sums up a week in the staging tables, and replaces the week of the roll-ups. */
static int roll_week(struct dj_fleet_job *job, int64_t monday)
{
    size_t count = job->cluster.count;
    struct week week = {job, monday, dj_xcalloc(count, sizeof(*week.sql)),
                        dj_xcalloc(count, sizeof(*week.parts))};
    struct dj_fleet_state state = {0};
    int code = merge_and_find_parts(job, &week, &state);
    code = code == 0 ? run_for_rollups(job, &week, append_fill) : code;
    code = code == 0 ? run_for_rollups(job, &week, append_replace) : code;
    dj_fleet_state_finish(&state);
    for (size_t i = 0; i < count; i++) {
        dj_text_finish(&week.sql[i]);
    }
    free(week.sql);
    free(week.parts);
    return code;
}

static int create_staging(struct dj_fleet_job *job)
{
    int code = 0;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && code == 0; i++) {
        struct dj_text sql = {0};
        dj_text_add(&sql, "CREATE TABLE ");
        append_staging(&sql, job, &dj_fleet_rollups[i]);
        dj_text_format(&sql, " AS dejank.%s", dj_fleet_rollups[i].table);
        code = dj_fleet_cluster_run(&job->cluster, &sql, job->err);
    }
    return code;
}

static int drop_staging(struct dj_fleet_job *job, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS; i++) {
        struct dj_text sql = {0};
        dj_text_add(&sql, "DROP TABLE IF EXISTS ");
        append_staging(&sql, job, &dj_fleet_rollups[i]);
        int failure = dj_fleet_cluster_run(&job->cluster, &sql, err);
        code = code == 0 ? failure : code;
    }
    return code;
}

/* Drops the staging tables of commands that were killed more than a day ago. */
static int drop_old_staging(struct dj_fleet_job *job)
{
    struct dj_text sql = {0};
    dj_text_format(&sql,
                   "SELECT name FROM system.tables WHERE database = 'dejank' AND "
                   "toInt64OrZero(extract(name, '_next_([0-9]+)_')) BETWEEN 1 AND "
                   "%" PRId64 " FORMAT TabSeparated",
                   job->begun_unix_s - DAY_S);
    int code = dj_fleet_cluster_run(&job->cluster, &sql, job->err);
    for (size_t i = 0; i < job->cluster.count && code == 0; i++) {
        struct dj_text names = job->cluster.shards[i].answer;
        struct dj_str rest = dj_text_str(&names), name;
        job->cluster.shards[i].answer = (struct dj_text){0};
        while (code == 0 && dj_str_next_line(&rest, &name)) {
            dj_text_format(&sql, "DROP TABLE IF EXISTS dejank.%.*s", (int)name.length,
                           name.at);
            code = dj_fleet_cluster_query(&job->cluster, i, dj_xtext(&sql), job->err);
            dj_text_clear(&sql);
        }
        dj_text_finish(&names);
    }
    dj_text_finish(&sql);
    return code;
}

static void show_progress(struct dj_fleet_job *job, size_t done, size_t count)
{
    struct dj_text words = {0};
    dj_text_format(&words, "rolling up week %zu of %zu", done + 1, count);
    job->request->show_progress(job->request->progress_user, dj_xtext(&words));
    dj_text_finish(&words);
}

static void write_answer(struct dj_fleet_job *job, size_t weeks)
{
    struct dj_document *document = &job->answer->document;
    struct dj_text *json = &job->answer->json, words = {0};
    dj_json_open_document(json, "dejank.fleet-rollup/1");
    dj_json_add_int(json, "weeks", (int64_t)weeks);
    dj_json_add_int(json, "shards", (int64_t)job->cluster.count);
    dj_json_close(json, "}\n");
    dj_document_set_title(document, "Fleet — dejank");
    if (weeks == 0) {
        dj_text_add(&words, "All sessions were rolled up before");
    } else {
        dj_text_format(&words, "Rolled up %zu week%s on %zu shard%s", weeks,
                       weeks == 1 ? "" : "s", job->cluster.count,
                       job->cluster.count == 1 ? "" : "s");
    }
    dj_document_add_verdict(document, DJ_TONE_GOOD, &words);
}

static int roll_weeks(struct dj_fleet_job *job, const int64_t *mondays, size_t count)
{
    struct dj_error later = {0};
    int code = create_staging(job);
    for (size_t i = 0; i < count && code == 0; i++) {
        show_progress(job, i, count);
        code = roll_week(job, mondays[i]);
    }
    int dropped = drop_staging(job, code == 0 ? job->err : &later);
    return code == 0 ? dropped : code;
}

int dj_fleet_run_rollup(struct dj_fleet_job *job)
{
    struct dj_fleet_state state = {0};
    int64_t *mondays = NULL;
    size_t count = 0;
    int code = read_weeks(job, &state);
    code = code == 0 ? drop_old_staging(job) : code;
    if (code == 0) {
        find_weeks(&state, &mondays, &count);
    }
    if (code == 0 && count > 0) {
        code = roll_weeks(job, mondays, count);
    }
    if (code == 0) {
        write_answer(job, count);
    }
    free(mondays);
    dj_fleet_state_finish(&state);
    return code;
}
