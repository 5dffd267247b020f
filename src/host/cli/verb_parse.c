#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input_file.h"
#include "cli/output_file.h"
#include "cli/parse_output.h"
#include "cli/replay.h"
#include "cli/verbs.h"

struct parse_options {
    bool json, csv, frames, rows;
    const char *release, *replay, *block;
};

static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, offsetof(struct parse_options, json), NULL,
     "all figures as JSON (schema dejank.parse/1)"},
    {"rows", 0, DJ_OPTION_FLAG, offsetof(struct parse_options, rows), NULL,
     "with --json: every row too"},
    {"csv", 0, DJ_OPTION_FLAG, offsetof(struct parse_options, csv), NULL,
     "every framestats row as CSV, one header for all inputs"},
    {"frames", 0, DJ_OPTION_FLAG, offsetof(struct parse_options, frames), NULL,
     "every framestats row as a table, cut into stages"},
    {"replay", 0, DJ_OPTION_STRING, offsetof(struct parse_options, replay),
     "FRAMES.jsonl",
     "feed frames to a release's tracker and print what it prints; - for the standard "
     "input"},
    {"release", 0, DJ_OPTION_STRING, offsetof(struct parse_options, release), "R",
     "with --replay: the Android release"},
    {"block", 0, DJ_OPTION_STRING, offsetof(struct parse_options, block), "BLOCK",
     "with --replay: process (the default), window or framestats"},
};

static void talk_of(const struct dj_parsed *parsed)
{
    const struct dj_parse_report *report = &parsed->report;
    size_t kept = report->warning_count < DJ_PARSE_WARNINGS ? report->warning_count
                                                            : DJ_PARSE_WARNINGS;
    for (size_t i = 0; i < kept; i++) {
        dj_complain("parse", "%s:%zu: %s", parsed->source, report->warning[i].line,
                    report->warning[i].message);
    }
    if (report->warning_count > kept) {
        dj_complain("parse", "%s: %zu more lines were passed over", parsed->source,
                    report->warning_count - kept);
    }
    if (parsed->outcome != DJ_OUTCOME_OK) {
        dj_complain("parse", "%s: %s", parsed->source, parsed->error.message);
    }
}

static void append_output(struct dj_text *out, const struct dj_parsed *parsed,
                          const struct parse_options *values)
{
    if (values->json) {
        dj_parse_json(out, parsed, values->rows);
    } else if (values->csv) {
        dj_parse_csv(out, parsed);
    } else if (values->frames) {
        dj_parse_table(out, parsed);
    } else {
        dj_parse_page(out, parsed);
    }
}

/* One input; its outcome decides the exit code, never whether the others are read. */
static int parse_input(const char *path, const struct parse_options *values,
                       struct dj_text *out)
{
    struct dj_text text = {0};
    struct dj_parsed parsed = {0};
    struct dj_error err = {0};
    int result = dj_input_read(path, &text, &err);
    if (result != 0) {
        dj_parsed_unreadable(&parsed, dj_input_name(path), &err);
        result = 0;
    } else {
        result =
            dj_parsed_read(&parsed, dj_input_name(path), dj_text_get(&text), text.length);
    }
    if (result == 0) {
        talk_of(&parsed);
        append_output(out, &parsed, values);
        result = parsed.outcome == DJ_OUTCOME_OK ? DJ_EXIT_OK : DJ_EXIT_DATA;
    } else {
        dj_complain("parse", "%s", parsed.error.message);
        result = DJ_EXIT_INTERNAL;
    }
    dj_parsed_finish(&parsed);
    dj_text_finish(&text);
    return result;
}

/* JSON and CSV escape for themselves; else a person's terminal is protected here from
 * what names hold. */
static int print(const struct dj_text *out, const struct parse_options *values)
{
    struct dj_error err = {0};
    int result;
    if (out->failed) {
        result = dj_error_set(&err, DJ_E_NO_MEMORY, "out of memory");
    } else if (values->json || values->csv) {
        result = dj_output_print(out, &err);
    } else {
        struct dj_text safe = {0};
        dj_text_escaped(&safe, dj_text_get(out), out->length);
        result = dj_output_print(&safe, &err);
        dj_text_finish(&safe);
    }
    if (result != 0) {
        dj_complain("parse", "%s", err.message);
    }
    return (int)dj_exit_for(result);
}

static int parse_all(int count, char **paths, const struct parse_options *values)
{
    struct dj_text out = {0};
    int result = DJ_EXIT_OK;
    if (values->json) {
        dj_text_string(&out, "{\"schema\":\"dejank.parse/1\",\"inputs\":[");
    } else if (values->csv) {
        dj_parse_csv_header(&out);
    }
    for (int i = 0; i < count; i++) {
        if (i > 0 && !values->json && !values->csv && out.length > 0) {
            dj_text_string(&out, "\n");
        }
        int code = parse_input(paths[i], values, &out);
        result = code > result ? code : result;
    }
    if (values->json) {
        dj_text_string(&out, "]}\n");
    }
    int printed = print(&out, values);
    dj_text_finish(&out);
    return printed != DJ_EXIT_OK ? printed : result;
}

/* ---- replay ---- */

/* Every object of the file; broken ones are named and passed over. */
static int replay_lines(const char *path, const struct dj_text *lines,
                        const struct dj_dialect *dialect, enum dj_replay_block block,
                        struct dj_text *out)
{
    int result = DJ_EXIT_OK;
    const char *at = dj_text_get(lines);
    const char *end = at + lines->length;
    for (size_t number = 1; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline != NULL ? newline : end) - at);
        struct dj_replay replay = {0};
        struct dj_error err = {0};
        if (length > 0 && dj_replay_read(at, length, &replay, &err) != 0) {
            dj_complain("parse", "%s:%zu: %s", dj_input_name(path), number, err.message);
            result = DJ_EXIT_DATA;
        } else if (length > 0) {
            dj_replay_print(out, &replay, dialect, block);
        }
        free(replay.frames);
        at += length + 1;
    }
    return result;
}

static int replay_file(const char *path, const struct dj_dialect *dialect,
                       enum dj_replay_block block)
{
    struct dj_text lines = {0};
    struct dj_text out = {0};
    struct dj_error err = {0};
    int result = dj_input_read(path, &lines, &err);
    if (result != 0) {
        dj_complain("parse", "%s", err.message);
        result = DJ_EXIT_DATA;
    } else {
        result = replay_lines(path, &lines, dialect, block, &out);
        if (result == DJ_EXIT_OK && lines.length == 0) {
            dj_complain("parse", "%s: no frames: expected one JSON object a line",
                        dj_input_name(path));
            result = DJ_EXIT_DATA;
        }
        int code = out.failed ? dj_error_set(&err, DJ_E_NO_MEMORY, "out of memory")
                              : dj_output_print(&out, &err);
        if (code != 0) {
            dj_complain("parse", "%s", err.message);
            result = (int)dj_exit_for(code);
        }
    }
    dj_text_finish(&out);
    dj_text_finish(&lines);
    return result;
}

static int complain_of_release(const char *release)
{
    struct dj_text known = {0};
    for (size_t i = 0; dj_dialect_at(i) != NULL; i++) {
        dj_text_format(&known, " %s", dj_dialect_at(i)->name);
    }
    if (release == NULL) {
        dj_complain("parse", "--replay needs --release, one of:%s", dj_text_get(&known));
    } else {
        dj_complain("parse", "--release: there is no release '%s' (known:%s)", release,
                    dj_text_get(&known));
    }
    dj_text_finish(&known);
    return DJ_EXIT_USAGE;
}

static int run_replay(const struct parse_options *values, int operands)
{
    enum dj_replay_block block = DJ_REPLAY_PROCESS;
    struct dj_error err = {0};
    if (values->json || values->csv || values->frames || values->rows || operands > 0) {
        dj_complain("parse",
                    "--replay takes no other files, and prints one block as it is");
        return DJ_EXIT_USAGE;
    }
    const struct dj_dialect *dialect =
        values->release != NULL ? dj_dialect_find(values->release) : NULL;
    if (dialect == NULL) {
        return complain_of_release(values->release);
    }
    if (values->block != NULL && !dj_replay_block_find(values->block, &block)) {
        dj_complain("parse", "--block: expected process, window or framestats, got '%s'",
                    values->block);
        return DJ_EXIT_USAGE;
    }
    if (dj_replay_check(dialect, block, &err) != 0) {
        dj_complain("parse", "%s", err.message);
        return DJ_EXIT_USAGE;
    }
    return replay_file(values->replay, dialect, block);
}

static int run(int argc, char **argv)
{
    struct parse_options values = {0};
    int operands = 0;
    int result = dj_options_parse(&dj_verb_parse, argc, argv, &values, false, &operands);
    if (result != DJ_EXIT_OK) {
        return result < 0 ? DJ_EXIT_OK : result;
    }
    if (values.replay != NULL) {
        return run_replay(&values, operands);
    }
    if (values.release != NULL || values.block != NULL) {
        dj_complain("parse", "--release and --block go with --replay");
        return DJ_EXIT_USAGE;
    }
    if (operands == 0) {
        dj_complain(
            "parse",
            "expected files, or - for the standard input (see dejank parse --help)");
        return DJ_EXIT_USAGE;
    }
    if (values.json + values.csv + values.frames > 1) {
        dj_complain("parse", "--json, --csv and --frames exclude each other");
        return DJ_EXIT_USAGE;
    }
    if (values.rows && !values.json) {
        dj_complain("parse", "--rows goes with --json");
        return DJ_EXIT_USAGE;
    }
    return parse_all(operands, argv + 1, &values);
}

const struct dj_verb dj_verb_parse = {
    .name = "parse",
    .synopsis = "FILE|- … [--json [--rows] | --csv | --frames]\n"
                "       dejank parse --release R --replay FRAMES.jsonl "
                "[--block process|window|framestats]",
    .summary = "read any gfxinfo text: figures as printed and exact",
    .details = "Reads the text of `dumpsys gfxinfo PACKAGE framestats` wherever it "
               "stands: pasted, quoted, cut.\n"
               "\"As printed\" are hwui's own sums; \"exact\" is computed from the rows. "
               "frame time is hwui's\n"
               "duration, waits taken out; guide_total is the guide's plain "
               "FrameCompleted − IntendedVsync.\n"
               "Exit code 4 where an input holds no frames; the others are still read.",
    .options = options,
    .option_count = sizeof(options) / sizeof(options[0]),
    .run = run,
};
