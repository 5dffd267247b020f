/* `dejank fleet rollup`: rebuilds the roll-ups of the weeks that are over. */
#include <inttypes.h>
#include <unistd.h>

#include "base/json.h"
#include "fleet/commands/commands.h"
#include "fleet/query.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"

enum { DAY_S = 24 * 3600 };

/* A week of some shards. */
struct week {
    int64_t monday;
    int64_t *blocks; /* Per shard: block number of its newest insert, or 0 to leave it. */
};

struct weeks {
    struct week *weeks;
    size_t count;
};

static struct week *find_or_add_week(struct weeks *weeks, int64_t monday, size_t shards)
{
    for (size_t i = 0; i < weeks->count; i++) {
        if (weeks->weeks[i].monday == monday) {
            return &weeks->weeks[i];
        }
    }
    struct week week = {monday, dj_xcalloc(shards, sizeof(*week.blocks))};
    DJ_XPUSH(weeks->weeks, weeks->count, week);
    return &weeks->weeks[weeks->count - 1];
}

/* Finds the weeks that are over and have sessions which no roll-up contains. */
static void find_weeks(const struct dj_fleet_state *state, struct weeks *weeks)
{
    for (size_t i = 0; i < state->count; i++) {
        for (size_t k = 0; k < state->shards[i].week_count; k++) {
            const struct dj_fleet_week *week = &state->shards[i].weeks[k];
            if (dj_fleet_can_roll_up(state, week)) {
                find_or_add_week(weeks, week->monday, state->count)->blocks[i] =
                    week->block;
            }
        }
    }
}

static void finish_weeks(struct weeks *weeks)
{
    for (size_t i = 0; i < weeks->count; i++) {
        free(weeks->weeks[i].blocks);
    }
    free(weeks->weeks);
}

/* Runs a statement on the shards that have the week, at the same time. Finishes `sql`. */
static int run_on_shards(struct dj_fleet_job *job, const struct week *week,
                         struct dj_text *sql)
{
    struct dj_cluster *cluster = &job->cluster;
    int code = 0;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        if (week->blocks[i] > 0) {
            code = dj_fleet_cluster_start(cluster, i, dj_xtext(sql), (struct dj_str){0},
                                          job->err);
        }
    }
    for (size_t i = 0; i < cluster->count; i++) {
        const struct dj_error *failure = &cluster->shards[i].error;
        if (week->blocks[i] > 0) {
            dj_fleet_cluster_wait(cluster, i);
        }
        if (week->blocks[i] > 0 && code == 0 && failure->code != 0) {
            code = dj_error_set(job->err, failure->code, "%s", failure->message);
        }
    }
    dj_text_finish(sql);
    return code;
}

/* Appends the name of a staging table of this command. Each command has its own, so that
 * commands that run at the same time do not mix their rows. */
static void append_staging(struct dj_text *sql, const struct dj_fleet_job *job,
                           const struct dj_fleet_rollup *rollup)
{
    dj_text_format(sql, "dejank.%s_next_%" PRId64 "_%d", rollup->table, job->begun_unix_s,
                   (int)getpid());
}

/* Fills the staging table of a roll-up, and replaces the week of the roll-up with it. */
static int replace_week(struct dj_fleet_job *job, const struct week *week,
                        const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0};
    dj_text_add(&sql, "INSERT INTO ");
    append_staging(&sql, job, rollup);
    dj_text_add(&sql, " ");
    dj_fleet_append_rollup_select(&sql, rollup, week->monday);
    int code = run_on_shards(job, week, &sql);
    if (code == 0) {
        dj_text_format(&sql, "ALTER TABLE dejank.%s REPLACE PARTITION '", rollup->table);
        dj_session_append_day(&sql, week->monday);
        dj_text_add(&sql, "' FROM ");
        append_staging(&sql, job, rollup);
        code = run_on_shards(job, week, &sql);
    }
    return code;
}

static int drop_staging(struct dj_fleet_job *job, const struct week *week,
                        const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0};
    dj_text_add(&sql, "DROP TABLE IF EXISTS ");
    append_staging(&sql, job, rollup);
    return run_on_shards(job, week, &sql);
}

/* Computes a week of a roll-up again. */
static int rebuild_week(struct dj_fleet_job *job, const struct week *week,
                        const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0};
    dj_text_add(&sql, "CREATE TABLE ");
    append_staging(&sql, job, rollup);
    dj_text_format(&sql, " AS dejank.%s", rollup->table);
    int code = run_on_shards(job, week, &sql);
    code = code == 0 ? replace_week(job, week, rollup) : code;
    const struct dj_error failure = *job->err;
    int dropped = drop_staging(job, week, rollup);
    if (code != 0) {
        *job->err = failure;
    }
    return code != 0 ? code : dropped;
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
            dj_text_format(&sql, "DROP TABLE dejank.%.*s", (int)name.length, name.at);
            code = dj_fleet_cluster_query(&job->cluster, i, dj_xtext(&sql), job->err);
            dj_text_clear(&sql);
        }
        dj_text_finish(&names);
    }
    dj_text_finish(&sql);
    return code;
}

/* Notes that the roll-ups contain all inserts up to a block. A later insert has a higher
 * number, and the week is then answered from the sessions again. */
static int mark_week(struct dj_fleet_job *job, const struct week *week)
{
    int code = 0;
    for (size_t i = 0; i < job->cluster.count && code == 0; i++) {
        struct dj_text sql = {0};
        if (week->blocks[i] == 0) {
            continue;
        }
        dj_text_add(&sql, "INSERT INTO dejank.rolled SELECT toUInt32(replaceAll('");
        dj_session_append_day(&sql, week->monday);
        dj_text_format(&sql, "', '-', '')), toInt64(%" PRId64 "), now()",
                       week->blocks[i]);
        code = dj_fleet_cluster_query(&job->cluster, i, dj_xtext(&sql), job->err);
        dj_text_finish(&sql);
    }
    return code;
}

/* Compares the week with its sessions. They differ if another command that began earlier
 * has replaced the week after this one. All marks are then removed, so that queries read
 * the sessions. The command that ends last finds every difference. */
static int check_week(struct dj_fleet_job *job, const struct week *week,
                      const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0};
    dj_text_format(&sql, "SELECT toUInt8((SELECT sum(sessions) FROM dejank.%s WHERE ",
                   rollup->table);
    dj_fleet_append_days(&sql, week->monday, week->monday);
    dj_text_add(&sql, ") != (SELECT count() FROM dejank.sessions_local FINAL WHERE ");
    dj_fleet_append_days(&sql, week->monday, week->monday);
    dj_text_add(&sql, ")), (SELECT max(max_block_number) FROM system.parts WHERE "
                      "database = 'dejank' AND table = 'sessions_local' AND active AND "
                      "partition_id = replaceAll('");
    dj_session_append_day(&sql, week->monday);
    dj_text_add(&sql, "', '-', '')) FORMAT TabSeparated");
    int code = run_on_shards(job, week, &sql);
    bool is_wrong = false;
    for (size_t i = 0; i < job->cluster.count && code == 0; i++) {
        struct dj_str answer = dj_text_str(&job->cluster.shards[i].answer);
        bool differs = dj_fleet_cluster_read_int(&answer) != 0;
        /* After a later insert, the mark is not valid, and the week may differ. */
        bool is_valid = dj_fleet_cluster_read_int(&answer) == week->blocks[i];
        is_wrong |= week->blocks[i] > 0 && differs && is_valid;
    }
    if (is_wrong) {
        dj_text_add(&sql, "TRUNCATE TABLE dejank.rolled");
        code = run_on_shards(job, week, &sql);
    }
    return code == 0 && is_wrong
               ? dj_error_set(job->err, DJ_E_LIMIT,
                              "another 'dejank fleet rollup' runs at the same time; "
                              "repeat the command when it has ended")
               : code;
}

static int roll_week(struct dj_fleet_job *job, const struct week *week)
{
    int code = 0;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && code == 0; i++) {
        code = rebuild_week(job, week, &dj_fleet_rollups[i]);
    }
    code = code == 0 ? mark_week(job, week) : code;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && code == 0; i++) {
        code = check_week(job, week, &dj_fleet_rollups[i]);
    }
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
        dj_text_add(&words, "All weeks that are over were rolled up before");
    } else {
        dj_text_format(&words, "Rolled up %zu week%s on %zu shard%s", weeks,
                       weeks == 1 ? "" : "s", job->cluster.count,
                       job->cluster.count == 1 ? "" : "s");
    }
    dj_document_add_verdict(document, DJ_TONE_GOOD, &words);
}

int dj_fleet_run_rollup(struct dj_fleet_job *job)
{
    struct dj_fleet_state state = {0};
    struct weeks weeks = {0};
    int code = dj_fleet_read_state(&job->cluster, false, &state, job->err);
    code = code == 0 ? drop_old_staging(job) : code;
    if (code == 0) {
        find_weeks(&state, &weeks);
    }
    for (size_t i = 0; i < weeks.count && code == 0; i++) {
        show_progress(job, i, weeks.count);
        code = roll_week(job, &weeks.weeks[i]);
    }
    if (code == 0) {
        write_answer(job, weeks.count);
    }
    finish_weeks(&weeks);
    dj_fleet_state_finish(&state);
    return code;
}
