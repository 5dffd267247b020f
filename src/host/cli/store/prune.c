#include <time.h>

#include "base/duration.h"
#include "cli/options.h"
#include "cli/store/job.h"
#include "store/upkeep.h"

int dj_store_job_open(struct dj_store_job *job, enum dj_store_mode mode)
{
    return dj_store_open(job->values->store, mode, &job->history, &job->err);
}

/* Sets *before_unix_ms to the time that --older-than means. Without the option,
 * *before_unix_ms is unchanged. */
static int read_age_limit(struct dj_store_job *job, int64_t *before_unix_ms)
{
    int64_t age_ns = 0;
    struct timespec now;
    if (job->values->older_than == NULL) {
        return 0;
    }
    if (!dj_duration_parse(job->values->older_than, &age_ns)) {
        return dj_error_set(
            &job->err, DJ_E_USAGE,
            "--older-than: expected an age such as 90d or 12h, found '%s'",
            job->values->older_than);
    }
    clock_gettime(CLOCK_REALTIME, &now);
    *before_unix_ms = (int64_t)now.tv_sec * 1000 - age_ns / 1000000;
    return 0;
}

static int prune_listed(struct dj_store_job *job, const struct dj_kept_recordings *list,
                        int64_t before_unix_ms)
{
    int64_t pruned = 0, bytes = 0;
    int code = 0;
    size_t keep = (size_t)job->values->keep;
    size_t end = list->count > keep ? list->count - keep : 0;
    for (size_t i = 0; i < end && code == 0; i++) {
        const struct dj_kept_recording *recording = &list->recordings[i];
        if (recording->last_unix_ms >= before_unix_ms) {
            continue;
        }
        code = job->values->yes ? dj_measure_remove_recording(recording, &job->err) : 0;
        if (code == 0) {
            dj_report_store_pruned_recording(&job->page, recording);
            pruned++;
            bytes += recording->bytes;
        }
    }
    dj_report_store_pruned_recordings(&job->page, job->values->yes, pruned, bytes);
    if (!job->page.json && !job->values->yes && pruned > 0) {
        dj_cli_print_message("nothing was deleted; use --yes to delete the recordings");
    }
    return code;
}

static int prune_recordings(struct dj_store_job *job)
{
    struct dj_kept_recordings list = {.recordings = NULL};
    int64_t before_unix_ms = INT64_MAX;
    int code = read_age_limit(job, &before_unix_ms);
    code = code == 0 ? dj_measure_list_recordings(
                           job->values->name, job->values->temporary, &list, &job->err)
                     : code;
    if (code == 0) {
        dj_report_store_begin(&job->page, "prune-recordings", "recordings");
        code = prune_listed(job, &list, before_unix_ms);
    }
    dj_measure_recordings_finish(&list);
    return code;
}

static int prune_rules(struct dj_store_job *job, struct dj_store_prune_rules *rules)
{
    *rules = (struct dj_store_prune_rules){.keep = job->values->keep,
                                           .dry_run = !job->values->yes};
    int code = read_age_limit(job, &rules->before_unix_ms);
    return code != 0 ? code
           : job->values->older_than == NULL && rules->keep == 0
               ? dj_error_set(&job->err, DJ_E_USAGE,
                              "prune: missing option --older-than AGE or --keep N")
               : 0;
}

int dj_store_job_prune(struct dj_store_job *job)
{
    if (job->values->recordings) {
        return prune_recordings(job);
    }
    if (job->values->name != NULL || job->values->temporary) {
        return dj_error_set(&job->err, DJ_E_USAGE,
                            "prune: --name and --temporary require --recordings");
    }
    struct dj_store_prune_rules rules;
    struct dj_store_prune_result pruned;
    int code = prune_rules(job, &rules);
    if (code != 0) {
        return code;
    }
    code = dj_store_job_open(job, rules.dry_run ? DJ_STORE_READ : DJ_STORE_WRITE);
    if (code != 0) {
        return code;
    }
    dj_report_store_begin(&job->page, "prune", "ids");
    code = dj_store_prune(job->history, &rules, dj_report_store_pruned_batch, &job->page,
                          &pruned, &job->err);
    dj_report_store_pruned(&job->page, job->values->yes, &pruned);
    if (!job->page.json && !job->values->yes && pruned.batches > 0) {
        dj_cli_print_message("nothing was deleted; use --yes to delete the batches");
    }
    return code;
}
