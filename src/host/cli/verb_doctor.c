#include <limits.h>
#include <stdio.h>

#include "base/json.h"
#include "capture/levels.h"
#include "cli/hooks_object.h"
#include "cli/verbs.h"
#include "device/output_file.h"
#include "device/program.h"
#include "device/sources.h"
#include "drive/desktop.h"
#include "measure/lease.h"
#include "measure/settings.h"
#include "memory/memory.h"
#include "report/picture.h"
#include "segment/directory.h"
#include "segment/layout.h"
#include "store/store.h"

struct doctor {
    bool json, restore;
};

static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct doctor, json), NULL,
     "as JSON, schema dejank.doctor/1"},
    {"restore", 0, DJ_OPTION_FLAG, offsetof(struct doctor, restore), NULL,
     "put back what a `dejank run` that was killed had set on devices"},
};

/* ---- this machine ---- */

struct check {
    const char *name;
    bool fine;
    char found[PATH_MAX + 128]; /* what there is, or what stands in the way */
    const char *remedy;         /* the command that mends it; NULL: none */
};

static void check_recorder(struct check *check)
{
    check->name = "recorder";
    check->fine = dj_hooks_object_find(check->found);
    check->remedy = check->fine ? NULL : "make install";
    if (!check->fine) {
        snprintf(check->found, sizeof(check->found), "%s", DJ_HOOKS_OBJECT_MISSING);
    }
}

static void check_segments(struct check *check)
{
    struct dj_segment_place place;
    struct dj_error err = {0};
    check->name = "recordings";
    check->fine = dj_segment_own_directory(&place, &err) == 0 &&
                  dj_segment_check_room(&place, DJ_SEGMENT_KEEP, &err) == 0;
    snprintf(check->found, sizeof(check->found), "%s",
             check->fine ? place.path : err.message);
    check->remedy = check->fine ? NULL : "DEJANK_DIR=/some/folder dejank …";
}

static void check_adb(struct check *check)
{
    struct dj_error err = {0};
    check->name = "adb";
    check->fine = dj_program_find("adb", check->found, &err) == 0;
    if (!check->fine) {
        snprintf(check->found, sizeof(check->found), "%s", err.message);
    }
    check->remedy = check->fine ? NULL : "apt-get install adb";
}

/* Those that are loaded when they are first used: dejank runs without them. */
static void check_libraries(struct check *check)
{
    static const struct {
        const char *name, *gives;
        int (*ready)(struct dj_error *err);
    } libraries[] = {
        {"libatspi", "views of this machine's programs", dj_desktop_tree_ready},
        {"cairo", "report as .svg and .png", dj_report_picture_ready},
        {"libpq", "stores on a server of PostgreSQL", dj_history_postgres_ready},
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

/* Devices whose settings nobody is at any more. */
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
    if (dj_journal_read(path, &journal, &ignored) == 0 && journal.selector != NULL &&
        dj_lease_take(journal.selector, &lease, &ignored) == 0 && left->count++ == 0) {
        snprintf(left->first, sizeof(left->first), "%s", journal.selector);
    }
    dj_lease_give_back(&lease);
    dj_journal_finish(&journal);
    return 0;
}

static void check_settings(struct check *check)
{
    struct left left = {0};
    struct dj_error ignored = {0};
    check->name = "settings";
    dj_journal_each(count_left, &left, &ignored);
    check->fine = left.count == 0;
    if (check->fine) {
        snprintf(check->found, sizeof(check->found), "none is left to be put back");
    } else {
        snprintf(check->found, sizeof(check->found),
                 "a dejank that was killed has left those of %s%s changed", left.first,
                 left.count > 1 ? " and others" : "");
    }
    check->remedy = check->fine ? NULL : "dejank doctor --restore";
}

/* How much a capture of the system would see, and what would let it see more. */
static void check_capture(struct check *check)
{
    struct dj_capture_levels levels;
    dj_capture_levels_look(&levels);
    enum dj_capture_level best = dj_capture_levels_best(&levels);
    check->name = "capture";
    check->fine = best != DJ_CAPTURE_LEVELS && levels.left == 0;
    check->remedy = dj_capture_level_remedy(best);
    if (levels.left > 0) {
        snprintf(check->found, sizeof(check->found),
                 "the tracing instance %s of a dejank that was killed is left",
                 levels.first_left);
        check->remedy = "dejank doctor --restore";
    } else if (best == DJ_CAPTURE_LEVELS) {
        snprintf(check->found, sizeof(check->found), "none can be made: %s",
                 levels.why[DJ_CAPTURE_OWN]);
    } else {
        snprintf(check->found, sizeof(check->found), "level %s: %s",
                 dj_capture_level_name(best), dj_capture_level_shows(best));
    }
}

/* What the machine needs, one row each. */
static void (*const checks[])(struct check *check) = {check_recorder, check_segments,
                                                      check_adb,      check_libraries,
                                                      check_settings, check_capture};
enum { CHECK_COUNT = COUNT_OF(checks) };

/* ---- a program ---- */

struct diagnosis {
    struct check check[CHECK_COUNT];
    const char *command; /* NULL: only the machine was asked about */
    char path[PATH_MAX];
    char interpreter[PATH_MAX]; /* "": it is no script */
    const char *obstacle;       /* NULL: none */
    struct dj_source source[DJ_SOURCES];
};

static int diagnose(struct diagnosis *diagnosis, struct dj_error *err)
{
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        checks[i](&diagnosis->check[i]);
    }
    if (diagnosis->command == NULL) {
        return 0;
    }
    int code = dj_program_find(diagnosis->command, diagnosis->path, err);
    if (code == 0) {
        diagnosis->obstacle = dj_program_obstacle(diagnosis->path);
        code = dj_sources_of(diagnosis->path, diagnosis->source, diagnosis->interpreter,
                             err);
    }
    return code;
}

static bool any_source(const struct diagnosis *diagnosis)
{
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        if (diagnosis->source[i].reach != DJ_REACH_ABSENT) {
            return true;
        }
    }
    return false;
}

/* ---- telling it ---- */

static void tell_program(struct dj_text *text, const struct diagnosis *diagnosis)
{
    dj_text_format(text, "\n%s\n", diagnosis->path);
    if (diagnosis->obstacle != NULL) {
        dj_text_format(text, "  cannot be recorded: %s\n", diagnosis->obstacle);
        return;
    }
    if (diagnosis->interpreter[0] != '\0') {
        dj_text_format(text,
                       "  is a script; what it starts is recorded. Its interpreter: "
                       "dejank doctor -- %s\n",
                       diagnosis->interpreter);
    }
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        const struct dj_source *source = &diagnosis->source[i];
        dj_text_format(text, "  %-10s %-8s", source->name, dj_reach_name(source->reach));
        if (source->reach != DJ_REACH_ABSENT) {
            dj_text_format(text, "  %-22s %s", source->library, source->gives);
        }
        dj_text_string(text, "\n");
    }
    dj_text_string(text, any_source(diagnosis)
                             ? "  \"may load\": a library of its names it; whether it is "
                               "used, only a run tells: dejank record -- …\n"
                             : "  Nothing that draws was seen: it may load a toolkit as "
                               "a plug-in, or draw in a way nobody hooks.\n"
                               "  Its own frames can be declared: dejank/frames.h\n");
}

static void tell(struct dj_text *text, const struct diagnosis *diagnosis)
{
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        const struct check *check = &diagnosis->check[i];
        dj_text_format(text, "%-11s %-8s %s\n", check->name,
                       check->fine ? "ok" : "missing", check->found);
        if (check->remedy != NULL) {
            dj_text_format(text, "%-20s %s: %s\n", "",
                           check->fine ? "more with" : "mend it with", check->remedy);
        }
    }
    if (diagnosis->command != NULL) {
        tell_program(text, diagnosis);
    }
}

static void put_program(struct dj_text *text, const struct diagnosis *diagnosis)
{
    dj_json_open_object(text, "program");
    dj_json_put_string(text, "path", diagnosis->path);
    dj_json_put_name(text, "interpreter", diagnosis->interpreter);
    dj_json_put_string(text, "obstacle", diagnosis->obstacle);
    dj_json_open_array(text, "sources");
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        const struct dj_source *source = &diagnosis->source[i];
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "name", source->name);
        dj_json_put_string(text, "reach", dj_reach_name(source->reach));
        dj_json_put_name(text, "library", source->library);
        dj_json_put_string(text, "gives", source->gives);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

static void put(struct dj_text *text, const struct diagnosis *diagnosis)
{
    dj_json_open_document(text, "dejank.doctor/1");
    dj_json_open_array(text, "checks");
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        const struct check *check = &diagnosis->check[i];
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "name", check->name);
        dj_json_put_bool(text, "ok", check->fine);
        dj_json_put_string(text, "found", check->found);
        dj_json_put_string(text, "remedy", check->remedy);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
    if (diagnosis->command != NULL) {
        put_program(text, diagnosis);
    }
    dj_json_close(text, "}\n");
}

/* Fine where a recording could begin: a program that cannot be recorded, or a recorder
 * that is missing, is what the person came to hear of. */
static int verdict(const struct diagnosis *diagnosis)
{
    bool recorder = diagnosis->check[0].fine && diagnosis->check[1].fine;
    return recorder && diagnosis->obstacle == NULL ? DJ_EXIT_OK : DJ_EXIT_DATA;
}

/* ---- putting back ---- */

/* Also where there is nothing to put back all is as it was. */
static int restore(void)
{
    const struct dj_settings_talk talk = {dj_say, NULL};
    struct dj_error err = {0};
    size_t done, left;
    int code = dj_settings_restore_all(false, &talk, &done, &left, &err);
    if (code != 0) {
        return dj_verb_end(code, &err);
    }
    char stuck[64];
    size_t cleared = dj_capture_clear_away(stuck);
    if (cleared > 0) {
        dj_complain("took away %zu tracing %s", cleared,
                    cleared == 1 ? "instance" : "instances");
    }
    if (stuck[0] != '\0') {
        dj_complain("the tracing instance %s is in use, and stays", stuck);
    }
    if (done + left + cleared == 0) {
        dj_complain("no device has a setting that is to be put back");
    }
    return left == 0 ? DJ_EXIT_OK : DJ_EXIT_DEVICE;
}

static int run(void *given, int count, char **operands)
{
    struct doctor *doctor = given;
    if (doctor->restore) {
        return restore();
    }
    struct diagnosis diagnosis = {.command = count > 0 ? operands[0] : NULL};
    struct dj_text text = {0};
    struct dj_error err = {0};
    int code = diagnose(&diagnosis, &err);
    if (code == 0) {
        (doctor->json ? put : tell)(&text, &diagnosis);
    }
    int result = dj_output_end(code, &text, &err);
    return result != DJ_EXIT_OK ? DJ_EXIT_DATA : verdict(&diagnosis);
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
