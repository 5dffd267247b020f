#include "capture/permissions.h"
#include "cli/hooks_object.h"
#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "measure/settings.h"
#include "report/diagnosis.h"

struct doctor {
    bool json, restore;
};

static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct doctor, json), NULL,
     "print JSON (schema dejank.doctor/1)"},
    {"restore", 0, DJ_OPTION_FLAG, offsetof(struct doctor, restore), NULL,
     "restore the device settings that a killed 'dejank run' changed"},
};

/* Returns DJ_EXIT_OK if a recording could start, and DJ_EXIT_DATA if the program cannot
 * be recorded or the recorder is missing. Scripts then learn the result from the exit
 * code. */
static int choose_exit_code(const struct dj_diagnosis *diagnosis)
{
    return dj_report_can_record(diagnosis) ? DJ_EXIT_OK : DJ_EXIT_DATA;
}

/* Restores the settings of all devices, and removes tracing instances. Returns
 * DJ_EXIT_OK also if there is nothing to restore. */
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
        dj_cli_print_message("removed %zu tracing %s", cleared,
                             cleared == 1 ? "instance" : "instances");
    }
    if (stuck[0] != '\0') {
        dj_cli_print_message("cannot remove the tracing instance %s: a process may still "
                             "read it",
                             stuck);
    }
    if (done + left + cleared == 0) {
        dj_cli_print_message("no device has settings to restore");
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
    if (code == 0 && doctor->json) {
        dj_report_diagnosis_json(&text, &diagnosis);
    } else if (code == 0) {
        struct dj_document document = {0};
        dj_report_build_diagnosis(&document, &diagnosis);
        dj_cli_append_document(&text, &document, false);
    }
    int result = dj_cli_finish_output(code, &text, &err);
    return result != DJ_EXIT_OK ? DJ_EXIT_DATA : choose_exit_code(&diagnosis);
}

static const struct dj_example examples[] = {
    {"Check this machine", "dejank doctor"},
    {"Check whether dejank can record a program", "dejank doctor -- glxgears"},
    {"Restore the devices after a killed run", "dejank doctor --restore"},
};

const struct dj_verb dj_verb_doctor = {
    .name = "doctor",
    .synopsis = "[OPTION]… [-- CMD]",
    .summary = "check what this machine lacks, or what dejank can record of CMD",
    .description = "With CMD, dejank prints how the program draws, and whether dejank "
                   "can record this. dejank does not run CMD.\n",
    .exit_codes =
        "3\t--restore cannot reach a device, or another dejank uses it\n"
        "4\tdejank cannot record on this machine; the report names what is missing\n",
    DJ_EXAMPLES(examples),
    .operands = {"CMD", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct doctor),
    .stops_at_operand = true,
    .run = run,
};
