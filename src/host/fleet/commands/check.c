/* `dejank fleet check`: whether the shards, their sessions and their roll-ups are sound.
 */
#include <inttypes.h>

#include "base/json.h"
#include "fleet/commands/commands.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"

/* What was found on a shard. */
struct finding {
    int64_t sessions;
    int64_t rows; /* Stored rows, which include older revisions of sessions. */
    int64_t
        misplaced; /* Sessions that belong to another shard, so they may count twice. */
    int64_t days;  /* Days with sessions. */
    int64_t first_day, last_day;
    bool is_rollup_wrong;
    size_t open_weeks; /* Weeks that are over and have no valid roll-up. */
};

static int read_sessions(struct dj_fleet_job *job, size_t shard, struct finding *finding)
{
    struct dj_text sql = {0};
    dj_text_format(&sql,
                   "SELECT count(), (SELECT count() FROM dejank.sessions_local), "
                   "countIf(sipHash64(id) %% %zu != %zu), uniqExact(day), "
                   "toUInt16(min(day)), toUInt16(max(day)) FROM dejank.sessions_local "
                   "FINAL FORMAT TabSeparated",
                   job->cluster.count, shard);
    int code = dj_fleet_cluster_query(&job->cluster, shard, dj_xtext(&sql), job->err);
    struct dj_str answer = dj_text_str(&job->cluster.shards[shard].answer);
    dj_text_finish(&sql);
    finding->sessions = dj_fleet_cluster_read_int(&answer);
    finding->rows = dj_fleet_cluster_read_int(&answer);
    finding->misplaced = dj_fleet_cluster_read_int(&answer);
    finding->days = dj_fleet_cluster_read_int(&answer);
    finding->first_day = dj_fleet_cluster_read_int(&answer);
    finding->last_day = dj_fleet_cluster_read_int(&answer);
    return code;
}

/* Appends a query for a sum over the weeks that are rolled up. */
static void append_sum(struct dj_text *sql, const char *sum, const char *table,
                       const struct dj_fleet_shard_state *state)
{
    dj_text_format(sql, "(SELECT %s FROM dejank.%s WHERE ", sum, table);
    dj_fleet_append_weeks(sql, state, true);
    dj_text_add(sql, ")");
}

/* Compares the sums of sessions and frames in a roll-up with those of the sessions. */
static int compare_rollup(struct dj_fleet_job *job, size_t shard, const char *table,
                          const struct dj_fleet_shard_state *state, bool *differs)
{
    static const char sessions[] = "sessions_local FINAL";
    struct dj_text sql = {0};
    dj_text_add(&sql, "SELECT toUInt8(");
    append_sum(&sql, "sum(sessions)", table, state);
    dj_text_add(&sql, " != ");
    append_sum(&sql, "count()", sessions, state);
    dj_text_add(&sql, "), toUInt8(");
    append_sum(&sql, "sum(frame_sum)", table, state);
    dj_text_add(&sql, " != ");
    append_sum(&sql, "sum(frames)", sessions, state);
    dj_text_add(&sql, ") FORMAT TabSeparated");
    int code = dj_fleet_cluster_query(&job->cluster, shard, dj_xtext(&sql), job->err);
    struct dj_str answer = dj_text_str(&job->cluster.shards[shard].answer);
    dj_text_finish(&sql);
    *differs |= dj_fleet_cluster_read_int(&answer) != 0;
    *differs |= dj_fleet_cluster_read_int(&answer) != 0;
    return code;
}

static int compare_rollups(struct dj_fleet_job *job, size_t shard,
                           const struct dj_fleet_shard_state *state, bool *differs)
{
    bool has_rolled = false;
    int code = 0;
    for (size_t i = 0; i < state->week_count; i++) {
        has_rolled |= state->weeks[i].is_rolled;
    }
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && has_rolled && code == 0; i++) {
        code = compare_rollup(job, shard, dj_fleet_rollups[i].table, state, differs);
    }
    return code;
}

/* Roll-ups that differ are no longer used. A session may have arrived since the state was
 * read, so a difference counts only if it is still there with the newest state. */
static int check_rollups(struct dj_fleet_job *job, size_t shard,
                         const struct dj_fleet_shard_state *state,
                         struct finding *finding)
{
    bool differs = false;
    int code = compare_rollups(job, shard, state, &differs);
    if (code == 0 && differs) {
        struct dj_fleet_state newest = {0};
        code = dj_fleet_read_state(&job->cluster, false, &newest, job->err);
        code = code == 0 ? compare_rollups(job, shard, &newest.shards[shard],
                                           &finding->is_rollup_wrong)
                         : code;
        dj_fleet_state_finish(&newest);
    }
    return code == 0 && finding->is_rollup_wrong
               ? dj_fleet_cluster_query(&job->cluster, shard,
                                        "TRUNCATE TABLE dejank.rolled", job->err)
               : code;
}

static int check_shard(struct dj_fleet_job *job, size_t shard,
                       const struct dj_fleet_state *state, struct finding *finding)
{
    const struct dj_fleet_shard_state *own = &state->shards[shard];
    int code = read_sessions(job, shard, finding);
    for (size_t i = 0; i < own->week_count; i++) {
        finding->open_weeks += dj_fleet_can_roll_up(state, &own->weeks[i]);
    }
    return code == 0 ? check_rollups(job, shard, own, finding) : code;
}

static bool has_problem(const struct finding *finding)
{
    return finding->misplaced > 0 || finding->is_rollup_wrong;
}

/* Returns the number of days without sessions between the first and the last one. */
static int64_t count_gaps(const struct finding *finding)
{
    return finding->days > 0 ? finding->last_day - finding->first_day + 1 - finding->days
                             : 0;
}

static void add_shard(struct dj_document *document, const char *label,
                      const struct finding *finding)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%s: ", label);
    dj_fleet_append_count(&words, finding->sessions);
    dj_text_add(&words, " sessions");
    if (finding->misplaced > 0) {
        dj_text_format(&words, ", %" PRId64 " of them belong to another shard",
                       finding->misplaced);
    }
    if (finding->is_rollup_wrong) {
        dj_text_add(&words,
                    ", its roll-ups differed from its sessions and are no longer used");
    }
    if (finding->open_weeks > 0) {
        dj_text_format(&words, ", %zu week%s to roll up", finding->open_weeks,
                       finding->open_weeks == 1 ? "" : "s");
    }
    if (count_gaps(finding) > 0) {
        dj_text_format(&words, ", %" PRId64 " day%s without sessions",
                       count_gaps(finding), count_gaps(finding) == 1 ? "" : "s");
    }
    dj_document_add_note(document, has_problem(finding) ? DJ_TONE_BAD : DJ_TONE_PLAIN,
                         &words);
}

static void write_json(struct dj_fleet_job *job, const struct dj_fleet_state *state,
                       const struct finding *findings)
{
    struct dj_text *json = &job->answer->json;
    dj_json_open_document(json, "dejank.fleet-check/1");
    dj_json_add_bool(json, "has_problems", job->answer->has_problems);
    dj_fleet_write_scope_json(json, state, false);
    dj_json_open_array(json, "by_shard");
    for (size_t i = 0; i < job->cluster.count; i++) {
        dj_json_open_object(json, NULL);
        dj_json_add_string(json, "url", job->cluster.shards[i].label);
        dj_json_add_int(json, "sessions", findings[i].sessions);
        dj_json_add_int(json, "rows", findings[i].rows);
        dj_json_add_int(json, "misplaced", findings[i].misplaced);
        dj_json_add_bool(json, "rollups_differ", findings[i].is_rollup_wrong);
        dj_json_add_int(json, "weeks_to_roll_up", (int64_t)findings[i].open_weeks);
        dj_json_add_int(json, "days_without_sessions", count_gaps(&findings[i]));
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]}\n");
}

static void write_answer(struct dj_fleet_job *job, const struct dj_fleet_state *state,
                         const struct finding *findings)
{
    struct dj_document *document = &job->answer->document;
    struct dj_text words = {0};
    int64_t sessions = 0;
    bool can_roll_up = false;
    for (size_t i = 0; i < job->cluster.count; i++) {
        job->answer->has_problems |= has_problem(&findings[i]);
        sessions += findings[i].sessions;
        can_roll_up |= findings[i].open_weeks > 0 || findings[i].is_rollup_wrong;
    }
    bool has_problems = job->answer->has_problems;
    dj_text_add(&words, has_problems ? "The fleet has problems" : "No problem found");
    dj_document_set_title(document, "Fleet — dejank");
    dj_document_add_verdict(document, has_problems ? DJ_TONE_BAD : DJ_TONE_GOOD, &words);
    dj_fleet_add_scope(document, state, sessions, false);
    for (size_t i = 0; i < job->cluster.count; i++) {
        add_shard(document, job->cluster.shards[i].label, &findings[i]);
    }
    if (can_roll_up) {
        dj_document_add_command(document, "dejank fleet rollup", "rebuilds the roll-ups");
    }
    write_json(job, state, findings);
}

int dj_fleet_run_check(struct dj_fleet_job *job)
{
    struct dj_fleet_state state = {0};
    struct finding *findings = dj_xcalloc(job->cluster.count, sizeof(*findings));
    int code = dj_fleet_read_state(&job->cluster, false, &state, job->err);
    for (size_t i = 0; i < job->cluster.count && code == 0; i++) {
        code = check_shard(job, i, &state, &findings[i]);
    }
    if (code == 0) {
        write_answer(job, &state, findings);
    }
    free(findings);
    dj_fleet_state_finish(&state);
    return code;
}
