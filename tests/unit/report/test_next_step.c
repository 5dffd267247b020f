#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/verdict/next_step.h"

static struct dj_text out;

/* Writes the commands, a line each, with `before` at the start of each. */
static void write_lines(enum dj_next_step step, const struct dj_next_subject *subject,
                        const char *before)
{
    struct dj_document document = {0};
    dj_next_step_add(&document, step, subject);
    cr_assert_eq(document.blocks[0].kind, DJ_BLOCK_PARAGRAPH);
    for (size_t i = 1; i < document.block_count; i++) {
        cr_assert_eq(document.blocks[i].kind, DJ_BLOCK_COMMAND);
        cr_assert_gt(strlen(document.blocks[i].label), 10, "each has a purpose");
        dj_text_format(&out, "%s%s\n", before, document.blocks[i].text);
    }
    dj_document_finish(&document);
}

static void finish(void)
{
    dj_text_finish(&out);
}

TestSuite(next_step, .fini = finish);

static const struct dj_assessment nothing;

/* The next step of a dump with one process that was assessed like this. */
static enum dj_next_step find_step(struct dj_assessment assessment)
{
    static struct dj_dump_process process;
    struct dj_parsed parsed = {.dump = {.processes = &process, .process_count = 1}};
    return dj_next_step_find(&parsed, &assessment);
}

Test(next_step, outcomes_have_their_steps)
{
    static const struct {
        enum dj_dump_outcome outcome;
        int error;
        enum dj_next_step step;
    } rows[] = {
        {DJ_OUTCOME_NOT_GFXINFO, DJ_E_IO, DJ_NEXT_UNREADABLE},
        {DJ_OUTCOME_NOT_GFXINFO, DJ_E_NO_DATA, DJ_NEXT_NOT_GFXINFO},
        {DJ_OUTCOME_NO_PROCESS, DJ_E_NO_DATA, DJ_NEXT_NO_PROCESS},
        {DJ_OUTCOME_PERMISSION_DENIED, DJ_E_NO_DATA, DJ_NEXT_DENIED},
        {DJ_OUTCOME_DUMP_FAILED, DJ_E_NO_DATA, DJ_NEXT_DUMP_FAILED},
        {DJ_OUTCOME_NO_FRAMES, DJ_E_NO_DATA, DJ_NEXT_NO_FRAMES},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_parsed parsed = {.outcome = rows[i].outcome,
                                   .error = {.code = rows[i].error}};
        cr_assert_eq(dj_next_step_find(&parsed, NULL), rows[i].step, "row %zu", i);
        if (rows[i].step > DJ_NEXT_NOT_GFXINFO) {
            cr_assert_eq(dj_next_step_find(&parsed, &nothing), rows[i].step, "row %zu",
                         i);
        }
    }
}

Test(next_step, the_data_of_a_process_decides)
{
    static const struct {
        struct dj_assessment assessment;
        enum dj_next_step step;
    } rows[] = {
        {{.grade = DJ_GRADE_NO_FRAMES}, DJ_NEXT_NO_FRAMES},
        {{.grade = DJ_GRADE_UNJUDGED, .simple_rows = 9}, DJ_NEXT_ONLY_SIMPLE},
        {{.grade = DJ_GRADE_UNJUDGED}, DJ_NEXT_ONLY_COUNTERS},
        {{.grade = DJ_GRADE_UNJUDGED, .rows_unreadable = 3}, DJ_NEXT_NO_HEADER},
        {{.grade = DJ_GRADE_UNJUDGED, .rows_unreadable = 3, .simple_rows = 9},
         DJ_NEXT_ONLY_SIMPLE},
        {{.grade = DJ_GRADE_UNJUDGED, .rows_read = 40, .exempt = 40}, DJ_NEXT_EXEMPT},
        {{.grade = DJ_GRADE_SMOOTH, .counts = {99, 0}}, DJ_NEXT_ONLY_COUNTERS},
        {{.grade = DJ_GRADE_SMOOTH, .counts = {99, 0}, .rows_read = 8}, DJ_NEXT_FEW},
        {{.grade = DJ_GRADE_JANKY, .counts = {99, 50}, .simple_rows = 9},
         DJ_NEXT_ONLY_COUNTERS},
        {{.grade = DJ_GRADE_JANKY, .counts = {99, 50}, .rows = {29, 9}, .rows_read = 29},
         DJ_NEXT_FEW},
        {{.grade = DJ_GRADE_JANKY, .counts = {99, 50}, .rows = {30, 0}, .rows_read = 30},
         DJ_NEXT_JANK_NOT_IN_ROWS},
        {{.grade = DJ_GRADE_JANKY, .rows = {120, 40}, .rows_read = 120}, DJ_NEXT_JANKY},
        {{.grade = DJ_GRADE_SMOOTH, .rows = {120, 1}, .rows_read = 120}, DJ_NEXT_JANKY},
        {{.grade = DJ_GRADE_SMOOTH, .rows = {120, 0}, .rows_read = 120}, DJ_NEXT_SMOOTH},
        {{.grade = DJ_GRADE_SMOOTH,
          .counts = {900, 9},
          .rows = {120, 0},
          .rows_read = 120},
         DJ_NEXT_SMOOTH},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(find_step(rows[i].assessment), rows[i].step, "row %zu", i);
    }
}

Test(next_step, graphicsstats_name_the_worst_package)
{
    struct dj_parsed parsed = {.source = "a"};
    static const struct {
        const char *package;
        uint32_t frames, janky;
    } entries[] = {{"com.good", 100, 1}, {"com.bad", 100, 30}, {"com.few", 3, 3}};
    for (size_t i = 0; i < 3; i++) {
        struct dj_graphicsstats *entry = dj_gfxinfo_dump_add_graphicsstats(&parsed.dump);
        entry->package = strdup(entries[i].package);
        entry->stats.lines = UINT32_MAX;
        entry->stats.stats.counter[DJ_COUNTER_TOTAL] = entries[i].frames;
        entry->stats.stats.counter[DJ_COUNTER_JANKY] = entries[i].janky;
    }
    enum dj_next_step step = dj_next_step_find(&parsed, NULL);
    cr_assert_eq(step, DJ_NEXT_ONLY_LOGS);
    struct dj_next_subject subject;
    dj_next_step_find_subject(&parsed, 0, &subject);
    write_lines(step, &subject, "");
    dj_text_finish(&subject.name);
    cr_assert_str_eq(dj_text_get(&out),
                     "adb shell dumpsys gfxinfo com.bad framestats | dejank parse -\n");
    dj_gfxinfo_dump_finish(&parsed.dump);
}

static const char *write_commands(enum dj_next_step step, const char *source,
                                  struct dj_dump_process *process, char *not_found)
{
    struct dj_parsed parsed = {.source = source,
                               .dump = {.processes = process,
                                        .process_count = process != NULL,
                                        .not_found = not_found}};
    dj_text_clear(&out);
    struct dj_next_subject subject;
    dj_next_step_find_subject(&parsed, 0, &subject);
    write_lines(step, &subject, "$ ");
    dj_text_finish(&subject.name);
    return dj_text_get(&out);
}

static char com_x[] = "com.x";

Test(next_step, commands_have_the_names_of_the_dump)
{
    struct dj_dump_process process = {.name = com_x, .pid = 7};
    cr_assert_str_eq(write_commands(DJ_NEXT_JANKY, "dump.txt", &process, NULL),
                     "$ dejank parse --frames dump.txt\n"
                     "$ dejank report dump.txt -o report.html\n");
    cr_assert_str_eq(write_commands(DJ_NEXT_ONLY_COUNTERS, "dump.txt", &process, NULL),
                     "$ adb shell dumpsys gfxinfo com.x framestats | dejank parse -\n"
                     "$ dejank collect --device adb: --package com.x --for 10s -o "
                     "collected.txt\n$ dejank parse collected.txt\n");
    process.name = NULL;
    cr_assert_str_eq(write_commands(DJ_NEXT_DUMP_FAILED, "dump.txt", &process, NULL),
                     "$ adb shell dumpsys gfxinfo 7 framestats | dejank parse -\n");
    process.pid = -1;
    cr_assert_str_eq(write_commands(DJ_NEXT_DENIED, "dump.txt", &process, NULL),
                     "$ adb shell dumpsys gfxinfo PACKAGE framestats | dejank parse -\n");
}

Test(next_step, a_process_that_is_not_there_is_started_by_its_package)
{
    char name[] = "com.x:remote";
    cr_assert_str_eq(
        write_commands(DJ_NEXT_NO_PROCESS, "a", NULL, name),
        "$ adb shell monkey -p com.x -c android.intent.category.LAUNCHER 1\n"
        "$ adb shell ps -A -o NAME\n"
        "$ adb shell dumpsys gfxinfo com.x:remote framestats | dejank parse -\n");
}

Test(next_step, our_own_dumps_need_no_adb)
{
    char name[] = "glxgears";
    struct dj_dump_process process = {.name = name, .interval_ns = 16666666};
    cr_assert_str_eq(write_commands(DJ_NEXT_ONLY_COUNTERS, "a", &process, NULL),
                     "$ dumpsys gfxinfo glxgears framestats | dejank parse -\n"
                     "$ dejank collect --package glxgears --for 10s -o collected.txt\n"
                     "$ dejank parse collected.txt\n");
}

/* Both shells, the local one and the device's, read exactly the name. */
Test(next_step, names_reach_no_shell_unquoted)
{
    char name[] = "a b'; reboot";
    struct dj_dump_process process = {.name = name};
    const char *text = write_commands(DJ_NEXT_ONLY_COUNTERS, "a", &process, NULL);
    cr_assert_not_null(strstr(text, "--package 'a b'\\''; reboot' --for"));
    cr_assert_not_null(
        strstr(text, "adb shell 'dumpsys gfxinfo '\\''a b'\\''\\'\\'''\\''; reboot'\\'' "
                     "framestats' | dejank"),
        "%s", text);
    process.interval_ns = 1;
    cr_assert_not_null(strstr(write_commands(DJ_NEXT_ONLY_COUNTERS, "a", &process, NULL),
                              "$ dumpsys gfxinfo 'a b'\\''; reboot' framestats |"));
}

Test(next_step, sources_are_files_that_can_be_named)
{
    static const struct {
        const char *source, *file;
    } rows[] = {
        {"standard input", " FILE\n"},
        {"a file's name", " 'a file'\\''s name'\n"},
        {"--json", " ./--json\n"},
        {"/tmp/dump.txt", " /tmp/dump.txt\n"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_dump_process process = {.name = com_x};
        const char *text = write_commands(DJ_NEXT_JANKY, rows[i].source, &process, NULL);
        cr_assert_not_null(strstr(text, rows[i].file), "%s", text);
    }
}

Test(next_step, every_step_has_words_and_a_command)
{
    for (size_t i = 0; i < DJ_NEXT_COUNT; i++) {
        struct dj_dump_process process = {.name = com_x};
        const char *words = dj_next_step_get_text((enum dj_next_step)i);
        cr_assert(isupper(words[0]), "step %zu", i);
        cr_assert_eq(words[strlen(words) - 1], '.', "step %zu", i);
        cr_assert_gt(strlen(write_commands((enum dj_next_step)i, "a", &process, NULL)),
                     10);
    }
}
