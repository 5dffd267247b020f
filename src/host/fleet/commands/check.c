/* `dejank fleet check`: whether the shards, their sessions and their roll-ups are sound.
 */
#include <inttypes.h>

#include "base/json.h"
#include "fleet/commands/commands.h"
#include "fleet/query.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"

/* What was found on a shard. */
struct finding {
    int64_t sessions;
    int64_t rows;      /* Stored rows, which include older revisions of sessions. */
    int64_t misplaced; /* Sessions of another shard, so they may count twice. */
    int64_t days;      /* Days with sessions. */
    int64_t first_day, last_day;
    bool is_rollup_wrong;
    size_t open_weeks; /* Weeks that are over and have later sessions, or no roll-up. */
};

/* Counts the sessions of a shard by day. */
static int count_sessions(struct dj_fleet_job *job, size_t shard, struct finding *finding)
{
    struct dj_fleet_query query;
    struct dj_fleet_result result = {0};
    dj_fleet_query_init(&query);
    query.by[query.by_count++] = DJ_FLEET_DAY;
    query.only_shard = shard + 1;
    int code = dj_fleet_query_shards(&job->cluster, &query, &result, job->err);
    for (size_t i = 0; i < result.count && code == 0; i++) {
        int64_t day = 0;
        dj_session_parse_day(dj_str_of(result.groups[i].key[0]), &day);
        finding->sessions += result.groups[i].sessions;
        finding->first_day = i == 0 ? day : finding->first_day;
        finding->last_day = day;
        finding->days++;
    }
    dj_fleet_result_finish(&result);
    return code;
}

static int count_misplaced(struct dj_fleet_job *job, size_t shard,
                           struct finding *finding)
{
    struct dj_text sql = {0};
    dj_text_format(&sql,
                   "SELECT uniqExact(id) FROM dejank.sessions_local WHERE sipHash64(id) "
                   "%% %zu != %zu FORMAT TabSeparated",
                   job->cluster.count, shard);
    int code = dj_fleet_cluster_query(&job->cluster, shard, dj_xtext(&sql), job->err);
    struct dj_str answer = dj_text_str(&job->cluster.shards[shard].answer);
    finding->misplaced = dj_fleet_cluster_read_int(&answer);
    dj_text_finish(&sql);
    return code;
}

/* Appends the sum of a hash of each row, with all sums and histograms, of a sub-query
 * with the columns of a roll-up. */
static void append_hash(struct dj_text *sql, const struct dj_fleet_rollup *rollup)
{
    dj_text_add(sql, "(SELECT sum(sipHash64(concat(");
    for (struct dj_str rest = dj_str_of(rollup->key); rest.length > 0;) {
        struct dj_str name = dj_str_until(rest, ",");
        dj_text_format(sql, "toString(%.*s), '\\t', ", (int)name.length, name.at);
        rest = dj_str_from(rest, name.length + (name.length < rest.length));
    }
    dj_fleet_append_sums_text(sql);
    dj_text_add(sql, "))) FROM (");
}

/* Compares the rows of the finest roll-up with the sessions, and the rows of the other
 * one with those of the finest. Sets *differs if any sum or histogram of any row is
 * different. */
static int compare_part(struct dj_fleet_job *job, size_t shard, const char *part,
                        bool *differs)
{
    const struct dj_fleet_rollup *versions = &dj_fleet_rollups[0],
                                 *daily = &dj_fleet_rollups[1];
    struct dj_text sql = {0};
    char *fine = dj_xformat("dejank.%s WHERE part = %s", daily->table, part);
    char *coarse = dj_xformat("dejank.%s WHERE part = %s", versions->table, part);
    dj_text_add(&sql, "SELECT toUInt8(");
    append_hash(&sql, daily);
    dj_fleet_append_part_sums(&sql, daily, part, false);
    dj_text_add(&sql, ")) != ");
    append_hash(&sql, daily);
    dj_fleet_append_coarser_sums(&sql, daily, fine, false);
    dj_text_add(&sql, "))), toUInt8(");
    append_hash(&sql, versions);
    dj_fleet_append_coarser_sums(&sql, versions, fine, false);
    dj_text_add(&sql, ")) != ");
    append_hash(&sql, versions);
    dj_fleet_append_coarser_sums(&sql, versions, coarse, false);
    dj_text_add(&sql, "))) FORMAT TabSeparated");
    int code = dj_fleet_cluster_query(&job->cluster, shard, dj_xtext(&sql), job->err);
    struct dj_str answer = dj_text_str(&job->cluster.shards[shard].answer);
    bool is_daily_wrong = dj_fleet_cluster_read_int(&answer) != 0;
    bool is_other_wrong = dj_fleet_cluster_read_int(&answer) != 0;
    *differs = code == 0 && (is_daily_wrong || is_other_wrong);
    dj_text_finish(&sql);
    free(fine);
    free(coarse);
    return code;
}

/* Another command may have replaced the part or a roll-up of the week since the state was
 * read. So a difference counts only if both are still there. */
static int confirm_difference(struct dj_fleet_job *job, size_t shard,
                              const struct dj_fleet_week *week, bool *differs)
{
    struct dj_fleet_state newest = {0};
    int code = dj_fleet_read_state(&job->cluster, false, &newest, job->err);
    code = code == 0 ? dj_fleet_read_weeks(&job->cluster, &newest, job->err) : code;
    *differs = code == 0 && dj_fleet_week_persists(week, &newest.shards[shard]);
    dj_fleet_state_finish(&newest);
    return code;
}

/* Compares the roll-ups of each week that has both of them. A week is one statement, so
 * the server's memory does not grow with the number of weeks. */
static int check_rollups(struct dj_fleet_job *job, size_t shard,
                         const struct dj_fleet_shard_state *state,
                         struct finding *finding)
{
    int code = 0;
    for (size_t i = 0; i < state->week_count && code == 0; i++) {
        const struct dj_fleet_week *week = &state->weeks[i];
        bool differs = false;
        if (week->is_rolled[0] && week->is_rolled[1]) {
            char *part = dj_xformat("'%s'", week->parts[0].name);
            code = compare_part(job, shard, part, &differs);
            free(part);
        }
        if (code == 0 && differs) {
            code = confirm_difference(job, shard, week, &differs);
        }
        finding->is_rollup_wrong |= differs;
    }
    return code;
}

/* Empties the roll-ups of a shard, so that they are no longer used. */
static int empty_rollups(struct dj_fleet_job *job, size_t shard)
{
    int code = 0;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && code == 0; i++) {
        struct dj_text sql = {0};
        dj_text_format(&sql, "TRUNCATE TABLE dejank.%s", dj_fleet_rollups[i].table);
        code = dj_fleet_cluster_query(&job->cluster, shard, dj_xtext(&sql), job->err);
        dj_text_finish(&sql);
    }
    return code;
}

static int check_shard(struct dj_fleet_job *job, size_t shard,
                       const struct dj_fleet_state *state, struct finding *finding)
{
    const struct dj_fleet_shard_state *own = &state->shards[shard];
    for (size_t i = 0; i < own->week_count; i++) {
        const struct dj_fleet_week *week = &own->weeks[i];
        bool is_over = week->monday + DJ_FLEET_WEEK_DAYS <= state->today;
        finding->open_weeks += is_over && !dj_fleet_week_is_done(week);
        for (size_t k = 0; k < week->part_count; k++) {
            finding->rows += week->parts[k].rows;
        }
    }
    int code = count_misplaced(job, shard, finding);
    code = code == 0 ? check_rollups(job, shard, own, finding) : code;
    code = code == 0 && finding->is_rollup_wrong ? empty_rollups(job, shard) : code;
    return code == 0 ? count_sessions(job, shard, finding) : code;
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
    code = code == 0 ? dj_fleet_read_weeks(&job->cluster, &state, job->err) : code;
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
