#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/terminal_style.h"
#include "cli/verbs.h"
#include "cli/verbs/list_jank_rules.h"
#include "input/read.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/dump_forms.h"
#include "report/dump_replay.h"

struct parse_options {
    bool json, frames, rows, all;
    const char *csv, *release, *replay, *block, *jank_rule;
};

#define AT(member) offsetof(struct parse_options, member)
static const struct dj_option options[] = {
    {"json", 0, DJ_OPTION_FLAG, AT(json), NULL,
     "print all figures as JSON (schema dejank.parse/1)"},
    {"rows", 0, DJ_OPTION_FLAG, AT(rows), NULL, "with --json: include every frame"},
    {"csv", 0, DJ_OPTION_FORM_CHOICE, AT(csv), "profile",
     "print the framestats of every frame as CSV, with one header for all inputs; "
     "=profile: print the table of stage times in ms instead"},
    {"frames", 0, DJ_OPTION_FLAG, AT(frames), NULL,
     "print a table with the stages of every frame"},
    {"all", 0, DJ_OPTION_FLAG, AT(all), NULL, "print every figure, chart and process"},
    {"jank-rule", 0, DJ_OPTION_JANK_RULE, AT(jank_rule), "RULE",
     "print the jank figure of this rule, and its formula, for each window (all: every "
     "rule; list: only the names of the rules)"},
    {"release", 0, DJ_OPTION_RELEASE, AT(release), "RELEASE",
     "Android release that wrote the input (default: detected)"},
    {"replay", 0, DJ_OPTION_STRING, AT(replay), "FILE.jsonl",
     "print the gfxinfo text that Android RELEASE would print for the frames in "
     "FILE.jsonl (-: standard input)"},
    {"block", 0, DJ_OPTION_CHOICE, AT(block), "process|window|framestats",
     "with --replay: part of the text to print (default: process)"},
};

/* Replays the frames of every line, each a JSON object. Reports and skips broken lines.
 */
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
            dj_cli_print_message("%s: no frames: expected one JSON object per line",
                                 dj_input_name(path));
            result = DJ_EXIT_DATA;
        }
        int printed = dj_cli_finish_output(0, &out, &err);
        result = printed != DJ_EXIT_OK ? printed : result;
    }
    dj_text_finish(&lines);
    return result;
}

static int run_replay(const struct parse_options *values, int operands)
{
    enum dj_replay_block block = DJ_REPLAY_PROCESS;
    struct dj_error err = {0};
    if (values->json || values->csv != NULL || values->frames || values->rows ||
        operands > 0) {
        return dj_cli_print_usage_error(
            "--replay reads standard input only, and prints text only: expected no FILE, "
            "--json, --rows, --csv or --frames");
    }
    if (values->release == NULL) {
        return dj_cli_print_usage_error("--replay: expected --release RELEASE as well");
    }
    const struct dj_dialect *dialect = dj_frame_dialect_find(values->release);
    if (values->block != NULL) {
        dj_report_replay_block_find(values->block, &block);
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
        .jank_rule = values->jank_rule,
        .print = true,
    };
    if (values->jank_rule != NULL) {
        forming.form = DJ_FORM_JANK;
    } else if (values->json) {
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

/* Returns whether standard input is a pipe or a file. A user who names no file does not
 * want dejank to read a terminal or /dev/null. */
static bool has_piped_input(void)
{
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 && !S_ISCHR(status.st_mode);
}

static int check_options(const struct parse_options *values, int operands)
{
    const struct dj_cli_rule rules[] = {
        {values->block != NULL, "--block requires --replay"},
        {values->json + (values->csv != NULL) + values->frames +
                 (values->jank_rule != NULL) >
             1,
         "--json, --csv, --frames and --jank-rule exclude each other"},
        {values->rows && !values->json, "--rows requires --json"},
    };
    int result = dj_cli_check_rules(rules, COUNT_OF(rules));
    return result == DJ_EXIT_OK && operands == 0 && !has_piped_input()
               ? dj_cli_report_missing("FILE")
               : result;
}

static int run(void *given, int count, char **operands)
{
    struct parse_options *values = given;
    if (values->replay != NULL) {
        return run_replay(values, count);
    }
    if (values->jank_rule != NULL && strcmp(values->jank_rule, "list") == 0) {
        return dj_cli_list_jank_rules();
    }
    int result = check_options(values, count);
    if (result != DJ_EXIT_OK) {
        return result;
    }
    static char *piped[] = {"-"};
    return count == 0 ? run_forms(values, 1, piped) : run_forms(values, count, operands);
}

static const struct dj_example examples[] = {
    {"Print the figures of a dump that was saved or pasted", "dejank parse dump.txt"},
    {"Read the last frames of an Android app",
     "adb shell dumpsys gfxinfo com.example.app framestats | dejank parse -"},
    {"Count PerfDog's janks in a dump", "dejank parse --jank-rule perfdog-jank dump.txt"},
    {"Write every frame of two bug reports to one CSV file",
     "dejank parse --csv monday.zip tuesday.zip > frames.csv"},
};

const struct dj_verb dj_verb_parse = {
    .name = "parse",
    .synopsis = "[--json [--rows] | --csv[=profile] | --frames | --jank-rule RULE] "
                "[--release RELEASE] [FILE…]\n"
                "--replay FILE.jsonl --release RELEASE [--block BLOCK]",
    .summary = "read gfxinfo text, and print Android's figures and exact ones",
    .description =
        "Reads the output of 'dumpsys gfxinfo PACKAGE framestats' and 'dumpsys "
        "graphicsstats' (text or --proto), and of 'dumpsys SurfaceFlinger' with "
        "--timestats -dump, --latency, --list or --frametimeline. The text may be "
        "pasted, quoted, truncated, in a bug report (text or zip), in a log (Davey! "
        "lines), or compressed with gzip, zstd or xz. If FILE is -, or if there is no "
        "FILE, dejank reads standard input.\n"
        "Figures \"as printed\" are those that Android printed. dejank computes "
        "\"exact\" figures from the times of the frames. The frame time excludes the "
        "time in which a frame waited for the render thread. guide_total includes this "
        "wait: FrameCompleted - IntendedVsync.\n",
    .exit_codes = "4\tan input contains no frames; dejank still reads the other inputs\n",
    DJ_EXAMPLES(examples),
    .operands = {"FILE", 0, DJ_OPERANDS_UNLIMITED},
    DJ_OPTIONS(options, struct parse_options),
    .run = run,
};
