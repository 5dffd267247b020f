#include "report/next_step.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"

typedef void command(struct dj_text *text, const struct dj_next_subject *of);

/* The name for a shell. */
static const char *name_of(const struct dj_next_subject *of)
{
    return of->name.length > 0 ? dj_xtext(&of->name) : "PACKAGE";
}

/* Two shells read the text after "adb shell": the local one and the device's. */
static void put_device_command(struct dj_text *text, const struct dj_next_subject *of,
                               const char *const *argv)
{
    struct dj_text words = {0};
    dj_quote_command(&words, argv);
    dj_text_string(text, of->ours ? "" : "adb shell ");
    if (of->ours || strchr(dj_xtext(&words), '\'') == NULL) {
        dj_text_string(text, dj_xtext(&words));
    } else {
        dj_quote_word(text, dj_xtext(&words));
    }
    dj_text_finish(&words);
}

static void put_dump(struct dj_text *text, const struct dj_next_subject *of)
{
    const char *const argv[] = {"dumpsys", "gfxinfo", name_of(of), "framestats", NULL};
    put_device_command(text, of, argv);
    dj_text_string(text, " | dejank parse -");
}

/* The process `com.x:remote` belongs to the package `com.x`. */
static void put_start(struct dj_text *text, const struct dj_next_subject *of)
{
    struct dj_text package = {0};
    dj_text_append(&package, name_of(of), strcspn(name_of(of), ":"));
    const char *const argv[] = {
        "monkey", "-p", dj_xtext(&package), "-c", "android.intent.category.LAUNCHER",
        "1",      NULL};
    put_device_command(text, of, argv);
    dj_text_finish(&package);
}

static void put_list(struct dj_text *text, const struct dj_next_subject *of)
{
    static const char *const argv[] = {"ps", "-A", "-o", "NAME", NULL};
    put_device_command(text, of, argv);
}

static void put_collect(struct dj_text *text, const struct dj_next_subject *of)
{
    dj_text_string(text, "dejank collect ");
    dj_text_string(text, of->ours ? "" : "--device adb: ");
    dj_text_string(text, "--package ");
    dj_quote_word(text, name_of(of));
    dj_text_string(text, " --for 10s -o collected.txt");
}

static void put_parse(struct dj_text *text, const struct dj_next_subject *of)
{
    (void)of;
    dj_text_string(text, "dejank parse collected.txt");
}

/* Input from a pipe is gone: the user has to save it to a file first. */
static void put_source(struct dj_text *text, const struct dj_next_subject *of)
{
    if (strcmp(of->source, "standard input") == 0) {
        dj_text_string(text, "FILE");
        return;
    }
    if (of->source[0] == '-') {
        dj_text_string(text, "./");
    }
    dj_quote_word(text, of->source);
}

static void put_frames(struct dj_text *text, const struct dj_next_subject *of)
{
    dj_text_string(text, "dejank parse --frames ");
    put_source(text, of);
}

static void put_report(struct dj_text *text, const struct dj_next_subject *of)
{
    dj_text_string(text, "dejank report ");
    put_source(text, of);
    dj_text_string(text, " -o report.html");
}

enum { COMMANDS_MOST = 3 };

static command *const commands[DJ_NEXT_COUNT][COMMANDS_MOST] = {
    [DJ_NEXT_UNREADABLE] = {put_dump},
    [DJ_NEXT_NOT_GFXINFO] = {put_dump},
    [DJ_NEXT_NO_PROCESS] = {put_start, put_list, put_dump},
    [DJ_NEXT_DENIED] = {put_dump},
    [DJ_NEXT_DUMP_FAILED] = {put_dump},
    [DJ_NEXT_LOGS_ALONE] = {put_dump},
    [DJ_NEXT_NO_FRAMES] = {put_collect, put_parse},
    [DJ_NEXT_NO_HEADER] = {put_dump},
    [DJ_NEXT_SIMPLE_ALONE] = {put_dump},
    [DJ_NEXT_EXEMPT] = {put_frames, put_report},
    [DJ_NEXT_COUNTERS_ALONE] = {put_dump, put_collect, put_parse},
    [DJ_NEXT_FEW] = {put_collect, put_parse},
    [DJ_NEXT_JANK_ELSEWHERE] = {put_collect, put_parse},
    [DJ_NEXT_JANKY] = {put_frames, put_report},
    [DJ_NEXT_SMOOTH] = {put_collect, put_parse},
};

/* The next step for a process that drew frames. */
static enum dj_next_step step_of(const struct dj_standing *standing)
{
    if (standing->rows.frames == 0 && standing->counts.frames == 0) {
        if (standing->simple_rows > 0) {
            return DJ_NEXT_SIMPLE_ALONE;
        }
        if (standing->rows_unreadable > 0 && standing->rows_read == 0) {
            return DJ_NEXT_NO_HEADER;
        }
    }
    if (standing->rows.frames == 0 && standing->exempt > 0) {
        return DJ_NEXT_EXEMPT;
    }
    /* Unusable rows count as few rows. */
    return standing->rows_read == 0                ? DJ_NEXT_COUNTERS_ALONE
           : standing->rows.frames < DJ_FEW_FRAMES ? DJ_NEXT_FEW
           : standing->rows.janky > 0              ? DJ_NEXT_JANKY
           : standing->grade > DJ_GRADE_SMOOTH     ? DJ_NEXT_JANK_ELSEWHERE
                                                   : DJ_NEXT_SMOOTH;
}

enum dj_next_step dj_next_step_of(const struct dj_parsed *parsed,
                                  const struct dj_standing *standing)
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
    if (standing == NULL || standing->grade == DJ_GRADE_NO_FRAMES) {
        return dump->graphicsstats_count + dump->davey_count > 0 ? DJ_NEXT_LOGS_ALONE
                                                                 : DJ_NEXT_NO_FRAMES;
    }
    return step_of(standing);
}

/* Of several packages in graphicsstats, the one with the most jank; any package if all
 * drew few frames. */
static const char *package_of(const struct dj_dump *dump)
{
    size_t worst = dj_graphicsstats_worst(dump);
    worst = worst < dump->graphicsstats_count ? worst : 0;
    return dump->graphicsstats_count > 0 ? dump->graphicsstats[worst].package : NULL;
}

void dj_next_subject_of(const struct dj_parsed *parsed, size_t process,
                        struct dj_next_subject *subject)
{
    const struct dj_dump *dump = &parsed->dump;
    *subject = (struct dj_next_subject){.source = parsed->source};
    if (dump->process_count > 0) {
        /* dumpsys accepts a name or a pid. Only dumps of dejank's own recorder contain a
         * count of rows or an interval: that app ran on Linux, not on Android. */
        const struct dj_dump_process *of = &dump->processes[process];
        subject->ours = of->rows_kept > 0 || of->interval_ns > 0;
        dj_text_string(&subject->name, of->name != NULL ? of->name : "");
        if (subject->name.length == 0 && of->pid >= 0) {
            dj_text_format(&subject->name, "%" PRId64, of->pid);
        }
    } else if (dump->not_found != NULL) {
        dj_text_string(&subject->name, dump->not_found);
    }
    if (subject->name.length == 0 && package_of(dump) != NULL) {
        dj_text_string(&subject->name, package_of(dump));
    }
}

void dj_next_step_commands(struct dj_text *text, enum dj_next_step step,
                           const struct dj_next_subject *subject, const char *before)
{
    for (size_t i = 0; i < COMMANDS_MOST && commands[step][i] != NULL; i++) {
        dj_text_string(text, before);
        commands[step][i](text, subject);
        dj_text_string(text, "\n");
    }
}
