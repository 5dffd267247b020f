/* `dejank fleet rollup`: rebuilds the roll-ups of the weeks that are over. */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "fleet/commands/commands.h"
#include "fleet/query.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"

enum { WEEK_DAYS = 7, DAY_S = 24 * 3600 };

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
            if (!week->is_rolled && week->monday + WEEK_DAYS <= state->today) {
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
            code =
                dj_cluster_start(cluster, i, dj_xtext(sql), (struct dj_str){0}, job->err);
        }
    }
    for (size_t i = 0; i < cluster->count; i++) {
        const struct dj_error *failure = &cluster->shards[i].error;
        if (week->blocks[i] > 0) {
            dj_cluster_wait(cluster, i);
        }
        if (week->blocks[i] > 0 && code == 0 && failure->code != 0) {
            code = dj_error_set(job->err, failure->code, "%s", failure->message);
        }
    }
    dj_text_finish(sql);
    return code;
}

/* Appends the condition that selects the days of a week. */
static void append_days(struct dj_text *sql, const struct week *week)
{
    dj_text_add(sql, " WHERE day BETWEEN '");
    dj_session_append_day(sql, week->monday);
    dj_text_add(sql, "' AND '");
    dj_session_append_day(sql, week->monday + WEEK_DAYS - 1);
    dj_text_add(sql, "'");
}

/* Appends the name of a staging table of this command. Each command has its own, so that
 * commands which run at the same time do not mix their rows. */
static void append_staging(struct dj_text *sql, const struct dj_fleet_rollup *rollup)
{
    static int64_t begun_unix_s;
    begun_unix_s = begun_unix_s == 0 ? (int64_t)time(NULL) : begun_unix_s;
    dj_text_format(sql, "dejank.%s_next_%" PRId64 "_%d", rollup->table, begun_unix_s,
                   (int)getpid());
}

/* Fills the staging table of a roll-up, and exchanges the week of the roll-up for it. */
static int fill(struct dj_fleet_job *job, const struct week *week,
                const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0};
    dj_text_add(&sql, "INSERT INTO ");
    append_staging(&sql, rollup);
    dj_fleet_append_rollup_select(&sql, rollup);
    append_days(&sql, week);
    dj_text_format(&sql, ") GROUP BY %s)", rollup->key);
    int code = run_on_shards(job, week, &sql);
    if (code == 0) {
        dj_text_format(&sql, "ALTER TABLE dejank.%s REPLACE PARTITION '", rollup->table);
        dj_session_append_day(&sql, week->monday);
        dj_text_add(&sql, "' FROM ");
        append_staging(&sql, rollup);
        code = run_on_shards(job, week, &sql);
    }
    return code;
}

static int drop_staging(struct dj_fleet_job *job, const struct week *week,
                        const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0};
    dj_text_add(&sql, "DROP TABLE IF EXISTS ");
    append_staging(&sql, rollup);
    return run_on_shards(job, week, &sql);
}

static int rebuild(struct dj_fleet_job *job, const struct week *week,
                   const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0};
    dj_text_add(&sql, "CREATE TABLE ");
    append_staging(&sql, rollup);
    dj_text_format(&sql, " AS dejank.%s", rollup->table);
    int code = run_on_shards(job, week, &sql);
    code = code == 0 ? fill(job, week, rollup) : code;
    const struct dj_error failure = *job->err;
    int dropped = drop_staging(job, week, rollup);
    if (code != 0) {
        *job->err = failure;
    }
    return code != 0 ? code : dropped;
}

/* Drops the staging tables that commands left which were killed more than a day ago. */
static int drop_old_staging(struct dj_fleet_job *job)
{
    struct dj_text sql = {0};
    dj_text_format(&sql,
                   "SELECT name FROM system.tables WHERE database = 'dejank' AND "
                   "toInt64OrZero(extract(name, '_next_([0-9]+)_')) BETWEEN 1 AND "
                   "%" PRId64 " FORMAT TabSeparated",
                   (int64_t)time(NULL) - DAY_S);
    int code = dj_cluster_ask_all(&job->cluster, dj_xtext(&sql), job->err);
    code = code == 0 ? dj_cluster_require_all(&job->cluster, job->err) : code;
    dj_text_clear(&sql);
    for (size_t i = 0; i < job->cluster.count && code == 0; i++) {
        struct dj_text names = job->cluster.shards[i].answer;
        struct dj_str rest = dj_text_str(&names), name;
        job->cluster.shards[i].answer = (struct dj_text){0};
        while (code == 0 && dj_str_next_line(&rest, &name)) {
            dj_text_format(&sql, "DROP TABLE dejank.%.*s", (int)name.length, name.at);
            code = dj_cluster_ask(&job->cluster, i, dj_xtext(&sql), job->err);
            dj_text_clear(&sql);
        }
        dj_text_finish(&names);
    }
    dj_text_finish(&sql);
    return code;
}

/* Notes that the roll-ups contain all inserts up to a block. A later insert has a higher
 * number, and the week is then answered from the sessions again. */
static int mark(struct dj_fleet_job *job, const struct week *week)
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
        code = dj_cluster_ask(&job->cluster, i, dj_xtext(&sql), job->err);
        dj_text_finish(&sql);
    }
    return code;
}

/* Another command may have exchanged the week for older sums after this one, and then the
 * mark is wrong. The one that ends last finds this, and removes all marks: queries are
 * then answered from the sessions again. */
static int check_marked(struct dj_fleet_job *job, const struct week *week,
                        const struct dj_fleet_rollup *rollup)
{
    struct dj_text sql = {0}, monday = {0};
    dj_session_append_day(&monday, week->monday);
    dj_text_format(&sql, "SELECT toUInt8((SELECT sum(sessions) FROM dejank.%s",
                   rollup->table);
    append_days(&sql, week);
    dj_text_add(&sql, ") != (SELECT count() FROM dejank.sessions_local FINAL");
    append_days(&sql, week);
    dj_text_format(&sql,
                   ")), (SELECT max(max_block_number) FROM system.parts WHERE database = "
                   "'dejank' AND table = 'sessions_local' AND active AND partition_id = "
                   "replaceAll('%s', '-', '')) FORMAT TabSeparated",
                   dj_xtext(&monday));
    dj_text_finish(&monday);
    int code = run_on_shards(job, week, &sql);
    bool is_wrong = false;
    for (size_t i = 0; i < job->cluster.count && code == 0; i++) {
        int64_t differs = 0, block = 0;
        struct dj_str after, answer = dj_text_str(&job->cluster.shards[i].answer);
        if (week->blocks[i] > 0 && dj_str_int(answer, &differs) &&
            dj_str_after(answer, "\t", &after) && dj_str_int(after, &block)) {
            is_wrong |= differs != 0 && block == week->blocks[i];
        }
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
        code = rebuild(job, week, &dj_fleet_rollups[i]);
    }
    code = code == 0 ? mark(job, week) : code;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && code == 0; i++) {
        code = check_marked(job, week, &dj_fleet_rollups[i]);
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
