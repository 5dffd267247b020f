#include <string.h>

#include "base/json.h"
#include "cli/store/job.h"
#include "compare/operand.h"

static int change_one(struct dj_store_job *job, const char *operand, const char *reason)
{
    int64_t number;
    int code =
        dj_store_exclude_named(job->history, dj_compare_operand_batch_name(operand),
                               operand, reason, &number, &job->err);
    if (code == 0) {
        dj_report_store_excluded(&job->page, operand, number, reason);
    }
    return code;
}

static int change_all(struct dj_store_job *job, const char *action, const char *reason)
{
    if (job->operands < 1) {
        return dj_error_set(&job->err, DJ_E_USAGE,
                            "%s: missing operand BATCH or BATCH#RUN", action);
    }
    int code = dj_store_job_open(job, DJ_STORE_WRITE);
    if (code != 0) {
        return code;
    }
    dj_report_store_begin(&job->page, action, NULL);
    if (job->values->json) {
        dj_json_add_string(&job->page.text, "reason", reason);
        dj_json_open_array(&job->page.text, "changed");
    }
    for (int i = 0; i < job->operands && code == 0; i++) {
        code = change_one(job, job->operand[i], reason);
    }
    dj_report_store_close_array(&job->page);
    dj_report_store_end(&job->page);
    return code;
}

int dj_store_exclude(struct dj_store_job *job)
{
    const char *reason = job->values->reason;
    if (reason == NULL || reason[strspn(reason, " \t\n")] == '\0') {
        return dj_error_set(
            &job->err, DJ_E_USAGE,
            "exclude: missing option --reason TEXT, which is stored with the runs. Do "
            "not exclude runs because of their figures: that makes every comparison "
            "wrong");
    }
    return change_all(job, "exclude", reason);
}

int dj_store_include(struct dj_store_job *job)
{
    if (job->values->reason != NULL) {
        return dj_error_set(
            &job->err, DJ_E_USAGE,
            "include: --reason does not apply: include removes the stored reason");
    }
    return change_all(job, "include", NULL);
}
