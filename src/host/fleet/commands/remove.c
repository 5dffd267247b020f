/* `dejank fleet prune` and `dejank fleet forget`: delete sessions from all shards. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/units.h"
#include "fleet/commands/commands.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "fleet/state.h"
#include "memory/memory.h"
#include "process/deadline.h"

#define POLL_NS (100 * DJ_MILLISECOND_NS)
/* Maximum time of a deletion. */
#define DELETION_NS (30 * 60 * DJ_SECOND_NS)
enum { ID_DIGITS = 32 };

/* Runs a query for one number on all shards, and adds the numbers. Finishes `sql`. */
static int read_sum(struct dj_fleet_job *job, struct dj_text *sql, int64_t *sum)
{
    int code = dj_fleet_cluster_run(&job->cluster, sql, job->err);
    *sum = 0;
    for (size_t i = 0; i < job->cluster.count && code == 0; i++) {
        struct dj_str answer = dj_text_str(&job->cluster.shards[i].answer);
        *sum += dj_fleet_cluster_read_int(&answer);
    }
    return code;
}

static int count_sessions(struct dj_fleet_job *job, const char *condition, int64_t *count)
{
    struct dj_text sql = {0};
    dj_text_format(&sql,
                   "SELECT uniqExact(id) FROM dejank.sessions_local WHERE %s FORMAT "
                   "TabSeparated",
                   condition);
    return read_sum(job, &sql, count);
}

/* Waits until all shards have deleted the rows. They do so in the background. */
static int wait_for_deletion(struct dj_fleet_job *job)
{
    int64_t end_ns = dj_host_now_ns() + DELETION_NS;
    int64_t left = 1;
    int code = 0;
    while (code == 0 && left > 0 && dj_host_now_ns() < end_ns) {
        struct dj_text sql = {0};
        job->request->show_progress(job->request->progress_user,
                                    "waiting until the shards have deleted the sessions");
        dj_host_sleep_ns(POLL_NS);
        dj_text_add(&sql, "SELECT count() FROM system.mutations WHERE database = "
                          "'dejank' AND table = 'sessions_local' AND is_done = 0 "
                          "FORMAT TabSeparated");
        code = read_sum(job, &sql, &left);
    }
    return code != 0 || left == 0
               ? code
               : dj_error_set(job->err, DJ_E_TIMEOUT,
                              "the shards have not deleted the sessions within %lld min",
                              (long long)(DELETION_NS / DJ_SECOND_NS / 60));
}

/* Empties the roll-ups, so that queries read the sessions. */
static int empty_rollups(struct dj_fleet_job *job)
{
    struct dj_text sql = {0};
    int code = 0;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && code == 0; i++) {
        dj_text_format(&sql, "TRUNCATE TABLE dejank.%s", dj_fleet_rollups[i].table);
        code = dj_fleet_cluster_run(&job->cluster, &sql, job->err);
    }
    return code;
}

/* The roll-ups are emptied first, so that none is used if the deletion fails half-way.
 * They are emptied again afterwards, because a roll-up may have run in between. */
static int delete_sessions(struct dj_fleet_job *job, const char *condition)
{
    struct dj_text sql = {0};
    int code = empty_rollups(job);
    if (code == 0) {
        dj_text_format(&sql, "ALTER TABLE dejank.sessions_local DELETE WHERE %s",
                       condition);
        code = dj_fleet_cluster_run(&job->cluster, &sql, job->err);
    }
    code = code == 0 ? wait_for_deletion(job) : code;
    code = code == 0 ? empty_rollups(job) : code;
    if (code != 0) {
        dj_error_prepend(job->err, "some sessions may be deleted; repeat the command");
    }
    return code;
}

static void write_answer(struct dj_fleet_job *job, const char *command, int64_t count,
                         bool is_done, const char *what)
{
    struct dj_document *document = &job->answer->document;
    struct dj_text *json = &job->answer->json, words = {0};
    dj_json_open_document(json, "dejank.fleet-remove/1");
    dj_json_add_string(json, "command", command);
    dj_json_add_int(json, "sessions", count);
    dj_json_add_bool(json, "deleted", is_done);
    dj_json_add_int(json, "shards", (int64_t)job->cluster.count);
    dj_json_close(json, "}\n");
    dj_text_add(&words, is_done ? "Deleted " : "Would delete ");
    dj_fleet_append_count(&words, count);
    dj_text_format(&words, " session%s%s from %zu shard%s", count == 1 ? "" : "s", what,
                   job->cluster.count, job->cluster.count == 1 ? "" : "s");
    dj_document_set_title(document, "Fleet — dejank");
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
    if (!is_done) {
        dj_text_add(&words, "Nothing was deleted; use --yes to delete the sessions.");
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
}

/* Deletes the sessions that meet the condition. Deletes nothing if a shard does not
 * answer at the beginning. */
static int remove_sessions(struct dj_fleet_job *job, const char *command,
                           const char *condition, const char *what)
{
    struct dj_fleet_state state = {0};
    int64_t count = 0;
    bool is_done = job->request->yes;
    int code = dj_fleet_read_state(&job->cluster, false, &state, job->err);
    code = code == 0 ? count_sessions(job, condition, &count) : code;
    if (code == 0 && is_done && count > 0) {
        code = delete_sessions(job, condition);
    }
    if (code == 0) {
        write_answer(job, command, count, is_done, what);
    }
    dj_fleet_state_finish(&state);
    return code;
}

int dj_fleet_run_prune(struct dj_fleet_job *job)
{
    int64_t day = -1;
    if (job->request->before == NULL) {
        return dj_error_set(job->err, DJ_E_USAGE, "prune: missing option --before DAY");
    }
    int code = dj_fleet_read_day("--before", job->request->before, &day, job->err);
    if (code != 0) {
        return code;
    }
    struct dj_text condition = {0}, what = {0};
    dj_text_add(&condition, "day < '");
    dj_session_append_day(&condition, day);
    dj_text_add(&condition, "'");
    dj_text_add(&what, " before ");
    dj_session_append_day(&what, day);
    code = remove_sessions(job, "prune", dj_xtext(&condition), dj_xtext(&what));
    dj_text_finish(&condition);
    dj_text_finish(&what);
    return code;
}

static bool is_id(const char *text)
{
    size_t digits = 0;
    while (isxdigit((unsigned char)text[digits])) {
        digits++;
    }
    return digits == ID_DIGITS && text[digits] == '\0';
}

int dj_fleet_run_forget(struct dj_fleet_job *job)
{
    struct dj_text condition = {0};
    int code = 0;
    if (job->request->operand_count == 0) {
        return dj_error_set(job->err, DJ_E_USAGE, "forget: missing operand ID");
    }
    for (int i = 0; i < job->request->operand_count && code == 0; i++) {
        const char *id = job->request->operands[i];
        if (!is_id(id)) {
            code = dj_error_set(job->err, DJ_E_USAGE,
                                "forget: expected the id of a session, which has 32 "
                                "hexadecimal digits, found '%.80s'",
                                id);
        }
        dj_text_format(&condition, "%sunhex('%s')", i == 0 ? "id IN (" : ", ", id);
    }
    dj_text_add(&condition, ")");
    code = code == 0 ? remove_sessions(job, "forget", dj_xtext(&condition), "") : code;
    dj_text_finish(&condition);
    return code;
}
