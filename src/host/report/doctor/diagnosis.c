#include "report/diagnosis.h"

#include <assert.h>
#include <stdio.h>

#include "base/json.h"
#include "capture/permissions.h"
#include "device/program.h"
#include "drive/desktop.h"
#include "measure/lease.h"
#include "measure/settings.h"
#include "memory/memory.h"
#include "report/picture.h"
#include "segment/directory.h"
#include "segment/layout.h"
#include "stacks/lines.h"
#include "store/store.h"

static void check_recorder(struct dj_check *check, bool found, const char *hooks_object)
{
    check->name = "recorder";
    check->fine = found;
    check->remedy = check->fine ? NULL : "make install";
    snprintf(check->found, sizeof(check->found), "%s", hooks_object);
}

static void check_segments(struct dj_check *check)
{
    struct dj_segment_directory place;
    struct dj_error err = {0};
    check->name = "recordings";
    check->fine = dj_segment_ensure_directory(&place, &err) == 0 &&
                  dj_segment_check_space(&place, DJ_SEGMENT_KEEP, &err) == 0;
    snprintf(check->found, sizeof(check->found), "%s",
             check->fine ? place.path : err.message);
    check->remedy = check->fine ? NULL : "DEJANK_DIR=/some/folder dejank …";
}

static void check_adb(struct dj_check *check)
{
    struct dj_error err = {0};
    check->name = "adb";
    check->fine = dj_device_program_find("adb", check->found, &err) == 0;
    if (!check->fine) {
        snprintf(check->found, sizeof(check->found), "%s", err.message);
    }
    check->remedy = check->fine ? NULL : "apt-get install adb";
}

/* Checks the optional libraries. dejank loads them when it first needs them, and runs
 * without them. */
static void check_libraries(struct dj_check *check)
{
    static const struct {
        const char *name, *gives;
        int (*ready)(struct dj_error *err);
    } libraries[] = {
        {"libatspi", "views of this machine's programs", dj_desktop_load_tree},
        {"cairo", "report as .svg and .png", dj_report_load_cairo},
        {"libpq", "stores on a PostgreSQL server", dj_store_load_libpq},
        {"libdw", "source lines and inlined functions", dj_stacks_lines_load},
    };
    struct dj_text missing = {0};
    check->name = "libraries";
    for (size_t i = 0; i < COUNT_OF(libraries); i++) {
        if (libraries[i].ready(NULL) != 0) {
            dj_text_format(&missing, "%s%s (%s; not installed)",
                           missing.length > 0 ? ", " : "without ", libraries[i].name,
                           libraries[i].gives);
        }
    }
    check->fine = missing.length == 0;
    snprintf(check->found, sizeof(check->found), "%s",
             check->fine ? "all" : dj_xtext(&missing));
    check->remedy = check->fine ? NULL : "make deps";
    dj_text_finish(&missing);
}

/* Devices with changed settings that were not restored, because the dejank process that
 * changed them has ended. */
struct left {
    size_t count;
    char first[200];
};

static int count_left(void *user, const char *path)
{
    struct left *left = user;
    struct dj_journal journal = {0};
    struct dj_lease lease = {.fd = -1};
    struct dj_error ignored = {0};
    if (dj_measure_journal_read(path, &journal, &ignored) == 0 &&
        journal.selector != NULL &&
        dj_measure_lease_acquire(journal.selector, &lease, &ignored) == 0 &&
        left->count++ == 0) {
        snprintf(left->first, sizeof(left->first), "%s", journal.selector);
    }
    dj_measure_lease_release(&lease);
    dj_measure_journal_finish(&journal);
    return 0;
}

static void check_settings(struct dj_check *check)
{
    struct left left = {0};
    struct dj_error ignored = {0};
    check->name = "settings";
    dj_measure_journal_for_each(count_left, &left, &ignored);
    check->fine = left.count == 0;
    if (check->fine) {
        snprintf(check->found, sizeof(check->found), "no changed setting to restore");
    } else {
        snprintf(check->found, sizeof(check->found),
                 "a killed dejank left the settings of %s%s changed", left.first,
                 left.count > 1 ? " and other devices" : "");
    }
    check->remedy = check->fine ? NULL : "dejank doctor --restore";
}

/* Checks which trace data a capture would contain, and what the user can do to permit
 * more. */
static void check_capture(struct dj_check *check)
{
    struct dj_capture_levels levels;
    dj_capture_levels_test(&levels);
    enum dj_capture_level best = dj_capture_levels_find_best(&levels);
    check->name = "capture";
    check->fine = best != DJ_CAPTURE_LEVELS && levels.left == 0;
    check->remedy = dj_capture_level_get_remedy(best);
    if (levels.left > 0) {
        snprintf(check->found, sizeof(check->found),
                 "a killed dejank left the tracing instance %s", levels.first_left);
        check->remedy = "dejank doctor --restore";
    } else if (best == DJ_CAPTURE_LEVELS) {
        snprintf(check->found, sizeof(check->found), "cannot trace this machine: %s",
                 levels.why[DJ_CAPTURE_OWN]);
    } else {
        snprintf(check->found, sizeof(check->found), "level %s: %s",
                 dj_capture_level_name(best), dj_capture_level_get_contents(best));
    }
}

/* Checks which call stacks `dejank trace capture --stacks` would contain. */
static void check_stacks(struct dj_check *check)
{
    struct dj_capture_stack_access access;
    dj_capture_stacks_test(&access);
    check->name = "stacks";
    check->fine = access.permitted;
    check->remedy = access.remedy;
    snprintf(check->found, sizeof(check->found), "%s", access.found);
}

/* The checks of the machine, one row each. */
static void (*const checks[])(struct dj_check *check) = {check_segments,  check_adb,
                                                         check_libraries, check_settings,
                                                         check_capture,   check_stacks};

int dj_report_diagnose(bool recorder_found, const char *hooks_object,
                       struct dj_diagnosis *diagnosis, struct dj_error *err)
{
    static_assert(COUNT_OF(checks) + 1 == DJ_CHECKS, "a row for each check");
    check_recorder(&diagnosis->check[0], recorder_found, hooks_object);
    for (size_t i = 0; i < COUNT_OF(checks); i++) {
        checks[i](&diagnosis->check[i + 1]);
    }
    if (diagnosis->command == NULL) {
        return 0;
    }
    int code = dj_device_program_find(diagnosis->command, diagnosis->path, err);
    if (code == 0) {
        diagnosis->obstacle = dj_device_program_preload_obstacle(diagnosis->path);
        code = dj_device_recorder_sources_find(diagnosis->path, diagnosis->source,
                                               diagnosis->interpreter, err);
    }
    return code;
}

static void append_program_json(struct dj_text *text,
                                const struct dj_diagnosis *diagnosis)
{
    dj_json_open_object(text, "program");
    dj_json_add_string(text, "path", diagnosis->path);
    dj_json_add_name(text, "interpreter", diagnosis->interpreter);
    dj_json_add_string(text, "obstacle", diagnosis->obstacle);
    dj_json_open_array(text, "sources");
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        const struct dj_recorder_source *source = &diagnosis->source[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", source->name);
        dj_json_add_string(text, "reach",
                           dj_device_recorder_sources_reach_name(source->reach));
        dj_json_add_name(text, "library", source->library);
        dj_json_add_string(text, "gives", source->gives);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

void dj_report_diagnosis_json(struct dj_text *text, const struct dj_diagnosis *diagnosis)
{
    dj_json_open_document(text, "dejank.doctor/1");
    dj_json_open_array(text, "checks");
    for (size_t i = 0; i < DJ_CHECKS; i++) {
        const struct dj_check *check = &diagnosis->check[i];
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", check->name);
        dj_json_add_bool(text, "ok", check->fine);
        dj_json_add_string(text, "found", check->found);
        dj_json_add_string(text, "remedy", check->remedy);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
    if (diagnosis->command != NULL) {
        append_program_json(text, diagnosis);
    }
    dj_json_close(text, "}\n");
}
