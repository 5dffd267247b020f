#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output_file.h"
#include "cli/read_input.h"
#include "cli/store_option.h"
#include "cli/terminal_style.h"
#include "cli/triage_batch.h"
#include "cli/verbs.h"
#include "report/triage.h"
#include "trace/read.h"

struct triage_values {
    const char *frames, *against, *store;
    int64_t budget_ns;
    bool json;
};

static const struct dj_option options[] = {
    {"frames", 0, DJ_OPTION_STRING, offsetof(struct triage_values, frames), "SLICES|DUMP",
     "what the frames are: slices of this name (*, ?), or rows of a gfxinfo dump"},
    {"budget", 0, DJ_OPTION_DURATION, offsetof(struct triage_values, budget_ns), "TIME",
     "how long a frame may take (16.667ms; default: its refresh period, or 1/60 s)"},
    {"against", 0, DJ_OPTION_STRING, offsetof(struct triage_values, against), "BASE",
     "another trace or batch: what its frames took is usual"},
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct triage_values, json), NULL,
     "as JSON (docs/format/triage.md)"},
    DJ_STORE_OPTION(struct triage_values, store),
};

static int add_file(struct dj_triage *triage, const char *path, bool base,
                    struct dj_error *err)
{
    struct dj_trace trace = {.keep_marks = true};
    int code = dj_trace_read(path, &trace, err);
    if (code == 0) {
        code = base ? dj_triage_add_base(triage, &trace, err)
                    : dj_triage_add(triage, &trace, path, err);
        if (code != 0) {
            dj_error_prepend(err, "%s", path);
        }
    }
    dj_trace_finish(&trace);
    return code;
}

static int add_batch(struct dj_triage *triage, const char *name, const char *store,
                     bool base, struct dj_error *err)
{
    struct dj_history *history = NULL;
    struct dj_text notes = {0};
    int64_t key = 0;
    size_t traces;
    int code = dj_store_open_reading(store, &history, err);
    if (code == 0 && history == NULL) {
        code = dj_error_set(err, DJ_E_NOT_FOUND, "no such file, and no store to look in");
    }
    code = code != 0 ? code : dj_history_resolve(history, name, &key, err);
    code = code != 0
               ? code
               : dj_triage_add_batch(triage, history, key, base, &traces, &notes, err);
    if (code != 0) {
        dj_error_prepend(err, "%.80s", name);
    }
    fputs(dj_text_get(&notes), stderr);
    dj_text_finish(&notes);
    dj_history_close(history);
    return code;
}

/* A file's name, or a batch's. */
static int add(struct dj_triage *triage, const char *operand, const char *store,
               bool base, struct dj_error *err)
{
    bool file = strcmp(operand, "-") == 0 || access(operand, F_OK) == 0 ||
                strchr(operand, '/') != NULL;
    return file ? add_file(triage, operand, base, err)
                : add_batch(triage, operand, store, base, err);
}

/* A name that is a file is a dump. */
static int take_frames(const struct triage_values *values, struct dj_triage_rules *rules,
                       struct dj_triage_rows *rows, struct dj_error *err)
{
    struct dj_text text = {0};
    rules->budget_ns = values->budget_ns;
    if (values->frames == NULL || access(values->frames, F_OK) != 0) {
        rules->frames = values->frames;
        return 0;
    }
    int code = dj_read_whole(values->frames, &text, err);
    code = code != 0
               ? code
               : dj_triage_rows_read(rows, dj_text_get(&text), text.length, NULL, err);
    if (code != 0) {
        dj_error_prepend(err, "%s", values->frames);
    }
    rules->rows = rows;
    dj_text_finish(&text);
    return code;
}

static int print(const struct dj_triage_result *result, bool json, struct dj_error *err)
{
    struct dj_text text = {0};
    if (json) {
        dj_report_triage_json(&text, result);
    } else {
        struct dj_terminal_style style = dj_terminal_style();
        dj_report_triage_text(&text, result, &style);
    }
    int code = text.failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                           : dj_output_print(&text, err);
    dj_text_finish(&text);
    return code;
}

static int triage_files(const struct triage_values *values, char **paths, int count)
{
    struct dj_error err = {0};
    const struct dj_triage_result *result;
    struct dj_triage_rules rules = {0};
    struct dj_triage_rows rows = {0};
    int code = take_frames(values, &rules, &rows, &err);
    struct dj_triage *triage = code == 0 ? dj_triage_create(&rules) : NULL;
    if (code == 0 && triage == NULL) {
        code = dj_error_set(&err, DJ_E_NO_MEMORY, "out of memory");
    }
    if (code == 0 && values->against != NULL) {
        code = add(triage, values->against, values->store, true, &err);
    }
    for (int i = 0; code == 0 && i < count; i++) {
        code = add(triage, paths[i], values->store, false, &err);
    }
    code = code != 0 ? code : dj_triage_weigh(triage, &result, &err);
    code = code != 0 ? code : print(result, values->json, &err);
    if (code != 0) {
        dj_complain("trace triage", "%s", err.message);
    }
    dj_triage_destroy(triage);
    dj_triage_rows_finish(&rows);
    return dj_exit_for(code);
}

static int run(int argc, char **argv)
{
    struct triage_values values = {0};
    int operands = 0;
    int result =
        dj_options_parse(&dj_verb_trace_triage, argc, argv, &values, false, &operands);
    if (result != DJ_EXIT_OK) {
        return result < 0 ? DJ_EXIT_OK : result;
    }
    if (operands < 1) {
        dj_complain("trace triage", "expected a trace (see dejank trace triage --help)");
        return DJ_EXIT_USAGE;
    }
    return triage_files(&values, argv + 1, operands);
}

const struct dj_verb dj_verb_trace_triage = {
    .name = "trace triage",
    .synopsis =
        "[--frames 'SLICE*'|DUMP] [--budget 16.667ms] [--against BASE] FILE|BATCH…",
    .summary = "say what made frames late: which thread, lock or core ate the time",
    .details =
        "FILE is whatever dejank trace read takes; BATCH is one in the store, whose "
        "runs\n"
        "have traces (dejank run --trace). Of several all frames are weighed together.\n"
        "Frames are those that the trace tells (FrameTimeline, doFrame and\n"
        "DrawFrame, slices called frame), or those of --frames. A frame that took "
        "longer\n"
        "than its budget is late; its time is followed through sections, threads, "
        "wakers\n"
        "and locks, and causes are ranked by what would have been saved without each.",
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
