#include "capture/permissions.h"
#include "cli/hooks_object.h"
#include "cli/verbs.h"
#include "measure/settings.h"
#include "report/diagnosis.h"

struct doctor {
    bool json, restore;
};

static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct doctor, json), NULL,
     "as JSON, schema dejank.doctor/1"},
    {"restore", 0, DJ_OPTION_FLAG, offsetof(struct doctor, restore), NULL,
     "put back what a `dejank run` that was killed had set on devices"},
};

/* DJ_EXIT_OK if a recording could begin: a program that cannot be recorded, or a missing
 * recorder, is the result that users look for. */
static int choose_exit_code(const struct dj_diagnosis *diagnosis)
{
    bool recorder = diagnosis->check[0].fine && diagnosis->check[1].fine;
    return recorder && diagnosis->obstacle == NULL ? DJ_EXIT_OK : DJ_EXIT_DATA;
}

/* Succeeds if there is nothing to restore. */
static int restore(void)
{
    const struct dj_settings_listener talk = {dj_cli_send_message, NULL};
    struct dj_error err = {0};
    size_t done, left;
    int code = dj_measure_settings_restore_all(false, &talk, &done, &left, &err);
    if (code != 0) {
        return dj_cli_finish(code, &err);
    }
    char stuck[64];
    size_t cleared = dj_capture_remove_instances(stuck);
    if (cleared > 0) {
        dj_cli_print_message("took away %zu tracing %s", cleared,
                             cleared == 1 ? "instance" : "instances");
    }
    if (stuck[0] != '\0') {
        dj_cli_print_message("the tracing instance %s is in use, and stays", stuck);
    }
    if (done + left + cleared == 0) {
        dj_cli_print_message("no device has a setting that is to be put back");
    }
    return left == 0 ? DJ_EXIT_OK : DJ_EXIT_DEVICE;
}

static int run(void *given, int count, char **operands)
{
    struct doctor *doctor = given;
    if (doctor->restore) {
        return restore();
    }
    struct dj_diagnosis diagnosis = {.command = count > 0 ? operands[0] : NULL};
    struct dj_text text = {0};
    struct dj_error err = {0};
    char object[PATH_MAX];
    bool found = dj_hooks_object_find(object);
    int code = dj_report_diagnose(found, found ? object : DJ_HOOKS_OBJECT_MISSING,
                                  &diagnosis, &err);
    if (code == 0) {
        (doctor->json ? dj_report_diagnosis_json : dj_report_diagnosis_text)(&text,
                                                                             &diagnosis);
    }
    int result = dj_cli_finish_output(code, &text, &err);
    return result != DJ_EXIT_OK ? DJ_EXIT_DATA : choose_exit_code(&diagnosis);
}

const struct dj_verb dj_verb_doctor = {
    .name = "doctor",
    .synopsis = "[--json] [--restore] [-- CMD]",
    .summary = "what is missing on this machine; what of a program would be recorded",
    .details = "With CMD: which of the recorder's hooks would take, told from the "
               "program's files; it is not run.\n"
               "Exit codes: 4 where a recording could not begin; 3 where --restore could "
               "not reach a device, or another\n"
               "dejank measures on it.",
    DJ_OPTIONS(options, struct doctor),
    .stops_at_operand = true,
    .run = run,
};
