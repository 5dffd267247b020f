#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "base/json.h"
#include "cli/options.h"
#include "cli/store_job.h"
#include "store/upkeep.h"

static bool parse_age(const char *text, int64_t *ns)
{
    char *end;
    double days = strtod(text, &end);
    if (end != text && strcmp(end, "d") == 0 && days >= 0 && days < 100000) {
        *ns = (int64_t)(days * 86400e9);
        return true;
    }
    return dj_duration_parse(text, ns);
}

int dj_store_age_limit(struct dj_store_job *job, int64_t *before_unix_ms)
{
    int64_t age_ns = 0;
    struct timespec now;
    if (job->values->older_than == NULL) {
        return 0;
    }
    if (!parse_age(job->values->older_than, &age_ns)) {
        return dj_error_set(&job->err, DJ_E_USAGE,
                            "--older-than: expected an age such as 90d or 12h, got '%s'",
                            job->values->older_than);
    }
    clock_gettime(CLOCK_REALTIME, &now);
    *before_unix_ms = (int64_t)now.tv_sec * 1000 - age_ns / 1000000;
    return 0;
}

static int prune_rules(struct dj_store_job *job, struct dj_history_prune_rules *rules)
{
    *rules = (struct dj_history_prune_rules){.keep = job->values->keep,
                                             .dry_run = !job->values->yes};
    int code = dj_store_age_limit(job, &rules->before_unix_ms);
    return code != 0 ? code
           : job->values->older_than == NULL && rules->keep == 0
               ? dj_error_set(&job->err, DJ_E_USAGE,
                              "prune: expected --older-than AGE, --keep N, or both")
               : 0;
}

static int tell_going(void *user, const struct dj_batch_row *batch)
{
    struct dj_store_job *job = user;
    char began[DJ_MOMENT];
    if (job->values->json) {
        dj_json_string(&job->text, batch->id);
        return 0;
    }
    dj_report_moment(batch->began_unix_ms, began);
    dj_text_format(&job->text, "%s  %s  ", batch->id, began);
    dj_text_escaped_name(&job->text, batch->project);
    dj_text_put_any_name(&job->text, "  ", batch->name, "\n");
    return 0;
}

static void tell_pruned(struct dj_store_job *job, const struct dj_history_pruned *pruned)
{
    struct dj_text *text = &job->text;
    if (job->values->json) {
        dj_store_close_array(job);
        dj_json_put_bool(text, "deleted", job->values->yes);
        dj_json_put_int(text, "batches", pruned->batches);
        dj_json_put_int(text, "runs", pruned->runs);
        dj_json_put_int(text, "evidence", pruned->evidence);
        dj_json_put_int(text, "evidence_bytes", pruned->evidence_bytes);
        dj_store_end_json(job);
        return;
    }
    dj_store_put_count(text, job->values->yes ? "deleted " : "would delete ",
                       pruned->batches, "batch", "batches");
    dj_store_put_count(text, ", ", pruned->runs, "run", "runs");
    dj_store_put_count(text, ", ", pruned->evidence, "piece", "pieces");
    dj_text_format(text, " of evidence (%.1f MB)\n",
                   (double)pruned->evidence_bytes / 1e6);
    if (!job->values->yes && pruned->batches > 0) {
        dj_complain("nothing was deleted: --yes does it");
    }
}

int dj_store_prune(struct dj_store_job *job)
{
    if (job->values->recordings) {
        return dj_store_prune_recordings(job);
    }
    if (job->values->name != NULL || job->values->temporary) {
        return dj_error_set(&job->err, DJ_E_USAGE,
                            "prune: --name and --temporary need --recordings");
    }
    struct dj_history_prune_rules rules;
    struct dj_history_pruned pruned;
    int code = prune_rules(job, &rules);
    if (code != 0) {
        return code;
    }
    code = dj_store_open(job, rules.dry_run ? DJ_HISTORY_READ : DJ_HISTORY_WRITE);
    if (code != 0) {
        return code;
    }
    dj_store_begin_json(job, "prune", "ids");
    code = dj_history_prune(job->history, &rules, tell_going, job, &pruned, &job->err);
    tell_pruned(job, &pruned);
    return code;
}
