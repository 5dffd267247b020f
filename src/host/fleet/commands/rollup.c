/*
 * `dejank fleet rollup`: merges the sessions of each week into one part, and sums it up.
 *
 * The rows of a roll-up name the part that they sum up, and a part never changes. So a
 * roll-up is never wrong, whatever happens at the same time: if the part was replaced by
 * another one, the roll-up is not used.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/date.h"
#include "base/json.h"
#include "base/units.h"
#include "fleet/commands/commands.h"
#include "fleet/query.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"
#include "process/deadline.h"

/* Tries to merge a week, while the server merges none of its parts; and all tries. */
enum { MERGE_TRIES = 40, MERGE_TRIES_MOST = 2400 };
#define MERGE_PAUSE_NS (250 * DJ_MILLISECOND_NS)

/* A week that is rolled up. The arrays have one element per shard. */
struct week {
    const struct dj_fleet_job *job;
    int64_t monday;
    struct dj_text *sql; /* The next statement, or empty. */
    const char **parts;  /* The part to sum up, or NULL. */
    bool *is_merged;     /* For each shard: whether it has merged the week. */
};

/* The weeks with sessions that no roll-up contained. */
struct outcome {
    size_t weeks;
    size_t unmerged; /* How many of them a shard has not merged. */
    bool *is_behind; /* For each shard: whether it has not merged one of them. */
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

/* Merges the sessions of the week into one part per shard. A shard that has done so is
 * not asked again, because it would rewrite the week for each later session. */
static int merge_week(struct dj_fleet_job *job, const struct week *week,
                      const struct dj_fleet_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        const struct dj_fleet_week *own =
            dj_fleet_find_week(&state->shards[i], week->monday);
        if (own != NULL && !week->is_merged[i] &&
            (own->part_count > 1 || !own->has_base)) {
            dj_text_add(&week->sql[i],
                        "OPTIMIZE TABLE dejank.sessions_local PARTITION '");
            dj_session_append_day(&week->sql[i], week->monday);
            dj_text_add(&week->sql[i], "' FINAL");
        }
    }
    return run_on_shards(job, week);
}

/* Returns whether a shard has merged all parts that a week had before. A server that
 * refuses to merge, or that merges only some of the parts, reports no error. */
static bool is_merged(const struct dj_fleet_week *before,
                      const struct dj_fleet_week *after)
{
    return after->has_base &&
           (before == NULL || after->parts[0].last_block >=
                                  before->parts[before->part_count - 1].last_block);
}

/* Finds the part to sum up on each shard, and which shards have merged the week. */
static void find_parts(const struct dj_fleet_state *before,
                       const struct dj_fleet_state *after, struct week *week)
{
    for (size_t i = 0; i < after->count; i++) {
        const struct dj_fleet_week *own =
            dj_fleet_find_week(&after->shards[i], week->monday);
        bool is_done = own == NULL || (own->is_rolled[0] && own->is_rolled[1]);
        week->parts[i] = is_done || !own->has_base ? NULL : own->parts[0].name;
        week->is_merged[i] |=
            own == NULL ||
            is_merged(dj_fleet_find_week(&before->shards[i], week->monday), own);
    }
}

static bool is_merged_everywhere(const struct week *week)
{
    for (size_t i = 0; i < week->job->cluster.count; i++) {
        if (!week->is_merged[i]) {
            return false;
        }
    }
    return true;
}

static int read_weeks(struct dj_fleet_job *job, struct dj_fleet_state *state)
{
    int code = dj_fleet_read_state(&job->cluster, false, state, job->err);
    return code == 0 ? dj_fleet_read_weeks(&job->cluster, state, job->err) : code;
}

/* Appends the chosen shards: "NOUN A" or "NOUNs A, B". */
static void append_shards(struct dj_text *words, const char *noun,
                          const struct dj_cluster *cluster, const bool *is_chosen)
{
    size_t count = 0;
    struct dj_text labels = {0};
    for (size_t i = 0; i < cluster->count; i++) {
        if (is_chosen[i]) {
            dj_text_format(&labels, "%s%s", count++ == 0 ? "" : ", ",
                           cluster->shards[i].label);
        }
    }
    dj_text_format(words, "%s%s %s", noun, count == 1 ? "" : "s", dj_xtext(&labels));
    dj_text_finish(&labels);
}

/* Returns an error if a shard has never merged the week, so there is no part to sum up.
 */
static int require_bases(struct dj_fleet_job *job, const struct week *week,
                         const struct dj_fleet_state *state)
{
    bool lacks_base[DJ_CLUSTER_SHARDS_MOST], is_complete = true;
    for (size_t i = 0; i < state->count; i++) {
        const struct dj_fleet_week *own =
            dj_fleet_find_week(&state->shards[i], week->monday);
        lacks_base[i] = own != NULL && !own->has_base;
        is_complete = is_complete && !lacks_base[i];
    }
    if (is_complete) {
        return 0;
    }
    struct dj_text shards = {0};
    append_shards(&shards, "shard", &job->cluster, lacks_base);
    int code = dj_error_set(job->err, DJ_E_LIMIT,
                            "%s did not merge the sessions of a week. Does the disk have "
                            "as much free space as the week needs?",
                            dj_xtext(&shards));
    dj_text_finish(&shards);
    return code;
}

/* Merges the week once, and reads the new state. */
static int try_merge(struct dj_fleet_job *job, struct week *week,
                     struct dj_fleet_state *state)
{
    int code = merge_week(job, week, state);
    struct dj_fleet_state before = *state;
    *state = (struct dj_fleet_state){0};
    code = code == 0 ? read_weeks(job, state) : code;
    if (code == 0) {
        find_parts(&before, state, week);
    }
    dj_fleet_state_finish(&before);
    return code;
}

/* Finds whether a shard that has not merged the week merges some of its parts now. */
static int read_merges(struct dj_fleet_job *job, const struct week *week,
                       bool *is_merging)
{
    struct dj_text sql = {0};
    int code = 0;
    dj_text_add(&sql, "SELECT count() FROM system.merges WHERE database = 'dejank' AND "
                      "table = 'sessions_local' AND startsWith(result_part_name, "
                      "replaceAll('");
    dj_session_append_day(&sql, week->monday);
    dj_text_add(&sql, "', '-', '')) FORMAT TabSeparated");
    *is_merging = false;
    for (size_t i = 0; i < job->cluster.count && code == 0 && !*is_merging; i++) {
        if (!week->is_merged[i]) {
            code = dj_fleet_cluster_query(&job->cluster, i, dj_xtext(&sql), job->err);
            struct dj_str answer = dj_text_str(&job->cluster.shards[i].answer);
            *is_merging = code == 0 && dj_fleet_cluster_read_int(&answer) > 0;
        }
    }
    dj_text_finish(&sql);
    return code;
}

/* Merges the week and reads the new state. A server does not merge a week while it merges
 * some of its parts, or if its disk has too little free space. */
static int merge_and_find_parts(struct dj_fleet_job *job, struct week *week,
                                struct dj_fleet_state *state)
{
    int code = read_weeks(job, state), tries = 0;
    code = code == 0 ? try_merge(job, week, state) : code;
    for (int i = 1; i < MERGE_TRIES_MOST && code == 0 && tries < MERGE_TRIES &&
                    !is_merged_everywhere(week);
         i++) {
        bool is_merging = false;
        dj_host_sleep_ns(MERGE_PAUSE_NS);
        code = read_merges(job, week, &is_merging);
        tries += is_merging ? 0 : 1;
        code = code == 0 ? try_merge(job, week, state) : code;
    }
    return code == 0 ? require_bases(job, week, state) : code;
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
static int roll_week(struct dj_fleet_job *job, int64_t monday, struct outcome *outcome)
{
    size_t count = job->cluster.count;
    struct week week = {job, monday, dj_xcalloc(count, sizeof(*week.sql)),
                        dj_xcalloc(count, sizeof(*week.parts)),
                        dj_xcalloc(count, sizeof(*week.is_merged))};
    struct dj_fleet_state state = {0};
    int code = merge_and_find_parts(job, &week, &state);
    code = code == 0 ? run_for_rollups(job, &week, append_fill) : code;
    code = code == 0 ? run_for_rollups(job, &week, append_replace) : code;
    outcome->unmerged += is_merged_everywhere(&week) ? 0 : 1;
    dj_fleet_state_finish(&state);
    for (size_t i = 0; i < count; i++) {
        outcome->is_behind[i] |= !week.is_merged[i];
        dj_text_finish(&week.sql[i]);
    }
    free(week.sql);
    free(week.parts);
    free(week.is_merged);
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
                   job->begun_unix_s - DJ_DAY_S);
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

static void append_verdict(struct dj_text *words, const struct outcome *outcome,
                           size_t shards)
{
    size_t rolled = outcome->weeks - outcome->unmerged;
    if (outcome->weeks == 0) {
        dj_text_add(words, "All sessions were rolled up before");
        return;
    }
    dj_text_format(words, "Rolled up %zu ", rolled);
    if (outcome->unmerged > 0) {
        dj_text_format(words, "of %zu ", outcome->weeks);
    }
    dj_text_format(words, "week%s on %zu shard%s", outcome->weeks == 1 ? "" : "s", shards,
                   shards == 1 ? "" : "s");
}

/* Adds why the sessions of some weeks are not in the roll-ups. */
static void add_unmerged(struct dj_fleet_job *job, const struct outcome *outcome)
{
    struct dj_text words = {0};
    if (outcome->unmerged > 0) {
        append_shards(&words, "Shard", &job->cluster, outcome->is_behind);
        dj_text_add(&words,
                    " did not merge the later sessions of a week. Answers contain them, "
                    "but take longer. Does another roll-up merge this week, or does the "
                    "disk have too little free space?");
        dj_document_add_note(&job->answer->document, DJ_TONE_WARNING, &words);
    }
}

static void write_answer(struct dj_fleet_job *job, const struct outcome *outcome)
{
    struct dj_document *document = &job->answer->document;
    struct dj_text *json = &job->answer->json, words = {0};
    dj_json_open_document(json, "dejank.fleet-rollup/1");
    dj_json_add_int(json, "weeks", (int64_t)(outcome->weeks - outcome->unmerged));
    dj_json_add_int(json, "weeks_not_merged", (int64_t)outcome->unmerged);
    dj_json_add_int(json, "shards", (int64_t)job->cluster.count);
    dj_json_close(json, "}\n");
    dj_document_set_title(document, "Fleet — dejank");
    append_verdict(&words, outcome, job->cluster.count);
    dj_document_add_verdict(
        document, outcome->unmerged > 0 ? DJ_TONE_WARNING : DJ_TONE_GOOD, &words);
    add_unmerged(job, outcome);
}

static int roll_weeks(struct dj_fleet_job *job, const int64_t *mondays,
                      struct outcome *outcome)
{
    struct dj_error later = {0};
    int code = create_staging(job);
    for (size_t i = 0; i < outcome->weeks && code == 0; i++) {
        show_progress(job, i, outcome->weeks);
        code = roll_week(job, mondays[i], outcome);
    }
    int dropped = drop_staging(job, code == 0 ? job->err : &later);
    return code == 0 ? dropped : code;
}

int dj_fleet_run_rollup(struct dj_fleet_job *job)
{
    struct dj_fleet_state state = {0};
    struct outcome outcome = {0};
    int64_t *mondays = NULL;
    int code = read_weeks(job, &state);
    code = code == 0 ? drop_old_staging(job) : code;
    if (code == 0) {
        find_weeks(&state, &mondays, &outcome.weeks);
    }
    outcome.is_behind = dj_xcalloc(job->cluster.count, sizeof(*outcome.is_behind));
    if (code == 0 && outcome.weeks > 0) {
        code = roll_weeks(job, mondays, &outcome);
    }
    if (code == 0) {
        write_answer(job, &outcome);
    }
    free(mondays);
    free(outcome.is_behind);
    dj_fleet_state_finish(&state);
    return code;
}
