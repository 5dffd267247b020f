#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "input/read.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/dump_forms.h"
#include "report/dump_replay.h"

struct parse_options {
    bool json, frames, rows, all;
    const char *csv, *release, *replay, *block;
};

#define AT(member) offsetof(struct parse_options, member)
static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "all figures as JSON (schema dejank.parse/1)"},
    {"rows", 0, DJ_OPTION_FLAG, AT(rows), NULL, "with --json: every row too"},
    {"csv", 0, DJ_OPTION_FORM, AT(csv), "profile",
     "every framestats row as CSV, one header for all inputs; with =profile those of the "
     "simple dump"},
    {"frames", 0, DJ_OPTION_FLAG, AT(frames), NULL,
     "every framestats row as a table, cut into stages"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL,
     "print every figure, chart and process, not only the first"},
    {"replay", 0, DJ_OPTION_STRING, AT(replay), "FRAMES.jsonl",
     "feed frames to a release's tracker and print what it prints; - for the standard "
     "input"},
    {"release", 0, DJ_OPTION_STRING, AT(release), "R",
     "the Android release, where it is known; else it is inferred"},
    {"block", 0, DJ_OPTION_STRING, AT(block), "BLOCK",
     "with --replay: process (the default), window or framestats"},
};

/* Replays every object of the file; reports and skips broken ones. */
static int replay_lines(const char *path, const struct dj_text *lines,
                        const struct dj_dialect *dialect, enum dj_replay_block block,
                        struct dj_text *out)
{
    int result = DJ_EXIT_OK;
    const char *at = dj_xtext(lines);
    const char *end = at + lines->length;
    for (size_t number = 1; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline != NULL ? newline : end) - at);
        struct dj_replay replay = {0};
        struct dj_error err = {0};
        if (length > 0 && dj_report_replay_read(at, length, &replay, &err) != 0) {
            dj_cli_print_message("%s:%zu: %s", dj_input_name(path), number, err.message);
            result = DJ_EXIT_DATA;
        } else if (length > 0) {
            dj_report_replay(out, &replay, dialect, block);
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
    int result = dj_input_read_whole(path, &lines, &dj_cli_messages, &err);
    if (result != 0) {
        dj_cli_print_message("%s", err.message);
        result = DJ_EXIT_DATA;
    } else {
        result = replay_lines(path, &lines, dialect, block, &out);
        if (result == DJ_EXIT_OK && lines.length == 0) {
            dj_cli_print_message("%s: no frames: expected one JSON object a line",
                                 dj_input_name(path));
            result = DJ_EXIT_DATA;
        }
        int printed = dj_cli_finish_output(0, &out, &err);
        result = printed != DJ_EXIT_OK ? printed : result;
    }
    dj_text_finish(&lines);
    return result;
}

static int reject_release(const char *release)
{
    struct dj_text known = {0};
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        dj_text_format(&known, " %s", dj_frame_dialect_at(i)->name);
    }
    if (release == NULL) {
        dj_cli_print_message("--replay needs --release, one of:%s", dj_xtext(&known));
    } else {
        dj_cli_print_message("--release: there is no release '%s' (known:%s)", release,
                             dj_xtext(&known));
    }
    dj_text_finish(&known);
    return DJ_EXIT_USAGE;
}

static int run_replay(const struct parse_options *values, int operands)
{
    enum dj_replay_block block = DJ_REPLAY_PROCESS;
    struct dj_error err = {0};
    if (values->json || values->csv != NULL || values->frames || values->rows ||
        operands > 0) {
        return dj_cli_print_usage_error(
            "--replay takes no other files, and prints one block as it is");
    }
    const struct dj_dialect *dialect =
        values->release != NULL ? dj_frame_dialect_find(values->release) : NULL;
    if (dialect == NULL) {
        return reject_release(values->release);
    }
    if (values->block != NULL && !dj_report_replay_block_find(values->block, &block)) {
        return dj_cli_print_usage_error(
            "--block: expected process, window or framestats, got '%s'", values->block);
    }
    if (dj_report_replay_check(dialect, block, &err) != 0) {
        return dj_cli_print_usage_error("%s", err.message);
    }
    return replay_file(values->replay, dialect, block);
}

static int run_forms(const struct parse_options *values, int operands, char **paths)
{
    struct dj_text out = {0};
    struct dj_forming forming = {
        .form = DJ_FORM_PAGE,
        .rows = values->rows,
        .release =
            values->release != NULL ? dj_frame_dialect_find(values->release) : NULL,
        .style = dj_terminal_style(),
        .with_details = values->all,
        .print = true,
    };
    if (values->release != NULL && forming.release == NULL) {
        return reject_release(values->release);
    }
    if (values->json) {
        forming.form = DJ_FORM_JSON;
    } else if (values->csv != NULL) {
        forming.form = values->csv[0] != '\0' ? DJ_FORM_CSV_PROFILE : DJ_FORM_CSV;
    } else if (values->frames) {
        forming.form = DJ_FORM_TABLE;
    }
    struct dj_error err = {0};
    bool all_ok;
    int code =
        dj_report_dumps(&forming, operands, paths, &dj_cli_messages, &out, &all_ok, &err);
    dj_text_finish(&out);
    return code == 0 && !all_ok ? DJ_EXIT_DATA : dj_cli_finish(code, &err);
}

/* Whether the standard input is a pipe or a file. A user who names no file does not mean
 * a terminal or /dev/null. */
static bool has_piped_input(void)
{
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 && !S_ISCHR(status.st_mode);
}

static int check_options(const struct parse_options *values, int operands)
{
    const char *csv = values->csv;
    const struct dj_cli_rule misuses[] = {
        {values->block != NULL, "--block goes with --replay"},
        {operands == 0 && !has_piped_input(),
         "expected files, or - for the standard input (see dejank parse --help)"},
        {values->json + (csv != NULL) + values->frames > 1,
         "--json, --csv and --frames exclude each other"},
        {values->rows && !values->json, "--rows goes with --json"},
        {csv != NULL && csv[0] != '\0' && strcmp(csv, "profile") != 0,
         "--csv prints framestats, and --csv=profile the simple dump; there is no other"},
    };
    return dj_cli_check_rules(misuses, COUNT_OF(misuses));
}

static int run(void *given, int count, char **operands)
{
    struct parse_options *values = given;
    if (values->replay != NULL) {
        return run_replay(values, count);
    }
    int result = check_options(values, count);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    static char *piped[] = {"-"};
    return count == 0 ? run_forms(values, 1, piped) : run_forms(values, count, operands);
}

const struct dj_verb dj_verb_parse = {
    .name = "parse",
    .synopsis =
        "[FILE|- …] [--json [--rows] | --csv[=profile] | --frames] [--release R]\n"
        "       dejank parse --release R --replay FRAMES.jsonl [--block "
        "process|window|framestats]",
    .summary = "read any gfxinfo text: figures as printed and exact",
    .details =
        "Reads the text of `dumpsys gfxinfo PACKAGE framestats` and `dumpsys "
        "graphicsstats` wherever it\n"
        "stands: pasted, quoted, cut, in bug reports (text or zip), in logs (Davey! "
        "lines), compressed\n"
        "with gzip, zstd or xz; graphicsstats also as --proto. \"As printed\" are hwui's "
        "own sums; \"exact\" is computed from the rows. frame time is hwui's\n"
        "duration, waits taken out; guide_total is the guide's plain FrameCompleted − "
        "IntendedVsync.\n"
        "Without FILE it reads the standard input, if that is a pipe or a file.\n"
        "Exit code 4 where an input holds no frames; the others are still read.",
    DJ_OPTIONS(options, struct parse_options),
    .run = run,
};
