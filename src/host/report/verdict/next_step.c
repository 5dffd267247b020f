#include "report/verdict/next_step.h"

#include <inttypes.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"

typedef void command(struct dj_text *text, const struct dj_next_subject *of);

/* Returns the name of the app for a command, or a placeholder. */
static const char *get_shell_name(const struct dj_next_subject *of)
{
    return of->name.length > 0 ? dj_xtext(&of->name) : "PACKAGE";
}

/* Appends a command that runs on the device. Quotes the words twice, because the local
 * shell and the device's shell both read the text after "adb shell". */
static void write_device_command(struct dj_text *text, const struct dj_next_subject *of,
                                 const char *const *argv)
{
    struct dj_text words = {0};
    dj_device_quote_command(&words, argv);
    dj_text_add(text, of->is_linux ? "" : "adb shell ");
    if (of->is_linux || strchr(dj_xtext(&words), '\'') == NULL) {
        dj_text_add(text, dj_xtext(&words));
    } else {
        dj_device_quote_word(text, dj_xtext(&words));
    }
    dj_text_finish(&words);
}

static void write_dump(struct dj_text *text, const struct dj_next_subject *of)
{
    const char *const argv[] = {"dumpsys", "gfxinfo", get_shell_name(of), "framestats",
                                NULL};
    write_device_command(text, of, argv);
    dj_text_add(text, " | dejank parse -");
}

/* Appends the command that starts the app. The process `com.x:remote` belongs to the
 * package `com.x`. */
static void write_start(struct dj_text *text, const struct dj_next_subject *of)
{
    struct dj_text package = {0};
    dj_text_append(&package, get_shell_name(of), strcspn(get_shell_name(of), ":"));
    const char *const argv[] = {
        "monkey", "-p", dj_xtext(&package), "-c", "android.intent.category.LAUNCHER",
        "1",      NULL};
    write_device_command(text, of, argv);
    dj_text_finish(&package);
}

static void write_list(struct dj_text *text, const struct dj_next_subject *of)
{
    static const char *const argv[] = {"ps", "-A", "-o", "NAME", NULL};
    write_device_command(text, of, argv);
}

static void write_collect(struct dj_text *text, const struct dj_next_subject *of)
{
    dj_text_add(text, "dejank collect ");
    dj_text_add(text, of->is_linux ? "" : "--device adb: ");
    dj_text_add(text, "--package ");
    dj_device_quote_word(text, get_shell_name(of));
    dj_text_add(text, " --for 10s -o collected.txt");
}

static void write_parse(struct dj_text *text, const struct dj_next_subject *of)
{
    (void)of;
    dj_text_add(text, "dejank parse collected.txt");
}

/* Appends the name of the input. A command cannot read a pipe again, so the user has to
 * save its data to a file first. */
static void write_source(struct dj_text *text, const struct dj_next_subject *of)
{
    if (strcmp(of->source, "standard input") == 0) {
        dj_text_add(text, "FILE");
        return;
    }
    if (of->source[0] == '-') {
        dj_text_add(text, "./");
    }
    dj_device_quote_word(text, of->source);
}

static void write_frames(struct dj_text *text, const struct dj_next_subject *of)
{
    dj_text_add(text, "dejank parse --frames ");
    write_source(text, of);
}

static void write_report(struct dj_text *text, const struct dj_next_subject *of)
{
    dj_text_add(text, "dejank report ");
    write_source(text, of);
    dj_text_add(text, " -o report.html");
}

static void write_record(struct dj_text *text, const struct dj_next_subject *of)
{
    (void)of;
    dj_text_add(text, "dejank record -- CMD");
}

static void write_capture(struct dj_text *text, const struct dj_next_subject *of)
{
    dj_text_add(text, "dejank trace capture --device adb: --package ");
    dj_device_quote_word(text, get_shell_name(of));
    dj_text_add(text, " --duration 10s -o app.pftrace");
}

static void write_clear_layers(struct dj_text *text, const struct dj_next_subject *of)
{
    (void)of;
    dj_text_add(text, "adb shell dumpsys SurfaceFlinger --timestats -clear -enable");
}

static void write_dump_layers(struct dj_text *text, const struct dj_next_subject *of)
{
    (void)of;
    dj_text_add(text,
                "adb shell dumpsys SurfaceFlinger --timestats -dump | dejank parse -");
}

enum { COMMANDS_MAX = 3 };

static command *const commands[DJ_NEXT_COUNT][COMMANDS_MAX] = {
    [DJ_NEXT_UNREADABLE] = {write_dump},
    [DJ_NEXT_NOT_GFXINFO] = {write_dump},
    [DJ_NEXT_NO_PROCESS] = {write_start, write_list, write_dump},
    [DJ_NEXT_DENIED] = {write_dump},
    [DJ_NEXT_DUMP_FAILED] = {write_dump},
    [DJ_NEXT_ONLY_LOGS] = {write_dump},
    [DJ_NEXT_ONLY_LAYERS] = {write_clear_layers, write_dump_layers},
    [DJ_NEXT_LAYERS_WITHOUT_FRAMES] = {write_clear_layers, write_dump_layers},
    [DJ_NEXT_NO_FRAMES] = {write_collect, write_parse},
    [DJ_NEXT_NO_HEADER] = {write_dump},
    [DJ_NEXT_ONLY_SIMPLE] = {write_dump},
    [DJ_NEXT_EXEMPT] = {write_frames, write_report},
    [DJ_NEXT_PRESENT_ONLY] = {write_record},
    [DJ_NEXT_SURFACE] = {write_capture},
    [DJ_NEXT_ONLY_COUNTERS] = {write_dump, write_collect, write_parse},
    [DJ_NEXT_FEW] = {write_collect, write_parse},
    [DJ_NEXT_JANK_NOT_IN_ROWS] = {write_collect, write_parse},
    [DJ_NEXT_JANKY] = {write_frames, write_report},
    [DJ_NEXT_SMOOTH] = {write_collect, write_parse},
};

static const struct {
    command *write;
    const char *purpose;
} purposes[] = {
    {write_dump, "print the frames of the running app"},
    {write_start, "start the app"},
    {write_list, "list the processes"},
    {write_collect, "collect 10 s while you use the app"},
    {write_parse, "print the figures of the collected frames"},
    {write_frames, "list every frame with its stages"},
    {write_report, "draw all charts on a page"},
    {write_record, "run the program and record its frames"},
    {write_capture, "capture a system trace with the app"},
    {write_clear_layers, "start to count frames"},
    {write_dump_layers, "print the counted figures"},
};

static const char *find_purpose(command *write)
{
    size_t i = 0;
    while (purposes[i].write != write) {
        i++;
    }
    return purposes[i].purpose;
}

/* Returns the next step for a process that drew frames. */
static enum dj_next_step find_step(const struct dj_assessment *assessment)
{
    if (assessment->rows.frames == 0 && assessment->counts.frames == 0) {
        if (assessment->simple_rows > 0) {
            return DJ_NEXT_ONLY_SIMPLE;
        }
        if (assessment->rows_unreadable > 0 && assessment->rows_read == 0) {
            return DJ_NEXT_NO_HEADER;
        }
    }
    if (assessment->rows.frames == 0 && assessment->exempt > 0) {
        return DJ_NEXT_EXEMPT;
    }
    if (assessment->rows.frames == 0 && assessment->presents > 0) {
        return DJ_NEXT_PRESENT_ONLY;
    }
    /* If no row is usable, the step is that for few rows. */
    return assessment->rows_read == 0                ? DJ_NEXT_ONLY_COUNTERS
           : assessment->rows.frames < DJ_FEW_FRAMES ? DJ_NEXT_FEW
           : assessment->rows.janky > 0              ? DJ_NEXT_JANKY
           : assessment->grade > DJ_GRADE_SMOOTH     ? DJ_NEXT_JANK_NOT_IN_ROWS
                                                     : DJ_NEXT_SMOOTH;
}

enum dj_next_step dj_next_step_find(const struct dj_parsed *parsed,
                                    const struct dj_assessment *assessment)
{
    static const enum dj_next_step by_outcome[DJ_OUTCOME_COUNT] = {
        [DJ_OUTCOME_NO_PROCESS] = DJ_NEXT_NO_PROCESS,
        [DJ_OUTCOME_PERMISSION_DENIED] = DJ_NEXT_DENIED,
        [DJ_OUTCOME_DUMP_FAILED] = DJ_NEXT_DUMP_FAILED,
        [DJ_OUTCOME_NOT_GFXINFO] = DJ_NEXT_NOT_GFXINFO,
    };
    const struct dj_dump *dump = &parsed->dump;
    if (by_outcome[parsed->outcome] != 0) {
        bool unreadable = parsed->outcome == DJ_OUTCOME_NOT_GFXINFO &&
                          parsed->error.code != DJ_E_NO_DATA;
        return unreadable ? DJ_NEXT_UNREADABLE : by_outcome[parsed->outcome];
    }
    if (assessment == NULL || assessment->grade == DJ_GRADE_NO_FRAMES) {
        bool layers = dump->process_count == 0 && dump->surfaces.count > 0;
        return dump->graphicsstats_count + dump->davey_count > 0 ? DJ_NEXT_ONLY_LOGS
               : !layers                                         ? DJ_NEXT_NO_FRAMES
               : parsed->outcome == DJ_OUTCOME_OK                ? DJ_NEXT_ONLY_LAYERS
                                                  : DJ_NEXT_LAYERS_WITHOUT_FRAMES;
    }
    enum dj_next_step step = find_step(assessment);
    bool surface = dump->process_count > 0 && dj_gfxinfo_is_of_surface(dump->processes);
    return step == DJ_NEXT_PRESENT_ONLY && surface ? DJ_NEXT_SURFACE : step;
}

/* Returns the package in graphicsstats with the most jank. Returns any package if all
 * drew few frames. */
static const char *find_package(const struct dj_dump *dump)
{
    size_t worst = dj_assessment_find_worst_package(dump);
    worst = worst < dump->graphicsstats_count ? worst : 0;
    return dump->graphicsstats_count > 0 ? dump->graphicsstats[worst].package : NULL;
}

void dj_next_step_find_subject(const struct dj_parsed *parsed, size_t process,
                               struct dj_next_subject *subject)
{
    const struct dj_dump *dump = &parsed->dump;
    *subject = (struct dj_next_subject){.source = parsed->source};
    if (dump->process_count > 0) {
        /* dumpsys accepts a name or a pid. Only dumps of dejank's own recorder contain a
         * count of rows or an interval: that app ran on Linux, not on Android. */
        const struct dj_dump_process *of = &dump->processes[process];
        subject->is_linux = of->rows_kept > 0 || of->interval_ns > 0;
        dj_text_add(&subject->name, of->name != NULL ? of->name : "");
        if (subject->name.length == 0 && of->pid >= 0) {
            dj_text_format(&subject->name, "%" PRId64, of->pid);
        }
    } else if (dump->not_found != NULL) {
        dj_text_add(&subject->name, dump->not_found);
    }
    if (subject->name.length == 0 && find_package(dump) != NULL) {
        dj_text_add(&subject->name, find_package(dump));
    }
    for (size_t i = 0; i < dump->surfaces.count && subject->name.length == 0; i++) {
        const char *package = dump->surfaces.at[i].package;
        dj_text_add(&subject->name, package != NULL ? package : "");
    }
}

void dj_next_step_add(struct dj_document *document, enum dj_next_step step,
                      const struct dj_next_subject *subject)
{
    struct dj_text words = {0};
    dj_text_add(&words, dj_next_step_get_text(step));
    dj_document_add_paragraph(document, &words);
    for (size_t i = 0; i < COMMANDS_MAX && commands[step][i] != NULL; i++) {
        commands[step][i](&words, subject);
        dj_document_add_command(document, dj_xtext(&words),
                                find_purpose(commands[step][i]));
        dj_text_clear(&words);
    }
    dj_text_finish(&words);
}
