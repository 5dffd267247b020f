/* An input consists of several dumps. The best outcome is used, and no input is ignored
 * silently. */
#include <criterion/criterion.h>
#include <string.h>

#include "import/dump_input.h"

enum { MOST = 8 };

/* The dumps that the callback received. */
static struct {
    size_t count;
    enum dj_dump_outcome outcome[MOST];
    char error[MOST][400];
    char first[MOST];
    const char *dialect[MOST];
    size_t processes[MOST];
    /* Number of the dump for which the callback fails, from 1, or 0 for none. */
    size_t fail_at;
} taken;
static struct dj_dump_input input;

static int receive_dump(void *data, struct dj_parsed *parsed)
{
    cr_assert_eq(data, &taken);
    cr_assert_lt(taken.count, MOST);
    size_t n = taken.count++;
    cr_assert_str_eq(parsed->source, "file");
    taken.outcome[n] = parsed->outcome;
    memcpy(taken.error[n], parsed->error.message, sizeof(taken.error[n]));
    taken.first[n] = parsed->first;
    taken.dialect[n] = dj_gfxinfo_dump_dialect(&parsed->dump, NULL)->name;
    taken.processes[n] = parsed->dump.process_count;
    return taken.count == taken.fail_at ? -77 : 0;
}

static void start_with_release(const struct dj_dialect *release)
{
    dj_import_input_init(&input, "file", release, receive_dump, &taken);
}

static void start_input(void)
{
    memset(&taken, 0, sizeof(taken));
    start_with_release(NULL);
}

static void finish_input(void)
{
    dj_import_input_finish(&input);
}

TestSuite(input, .init = start_input, .fini = finish_input);

static void restart_input(void)
{
    finish_input();
    start_input();
}

/* Feeds a whole text and ends it. */
static void read_whole(const char *text)
{
    cr_assert_eq(dj_import_input_feed(&input, text, strlen(text)), 0);
    cr_assert_eq(dj_import_input_end_text(&input), 0);
}

static void end_input(void)
{
    cr_assert_eq(dj_import_input_end(&input), 0);
}

#define SERVICE "Applications Graphics Acceleration Info:\nUptime: 1 Realtime: 2\n\n"
#define OK SERVICE "** Graphics info for pid 1 [a] **\nTotal frames rendered: 5\n"
#define EMPTY SERVICE "** Graphics info for pid 1 [a] **\nTotal frames rendered: 0\n"
#define NOT_FOUND "No process found for: a\n"
#define DENIED "Permission Denial: can't dump gfxinfo from from pid=1, uid=2\n"
#define FAILED                                                                           \
    SERVICE "** Graphics info for pid 1 [a] **\nFailure while dumping the app: a\n"

Test(input, each_text_has_its_outcome)
{
    static const struct {
        const char *text;
        enum dj_dump_outcome outcome;
        size_t line, byte;
        const char *words;
    } texts[] = {
        {OK, DJ_OUTCOME_OK, 1, 0, ""},
        {EMPTY, DJ_OUTCOME_NO_FRAMES, 1, 0, "no frame was drawn"},
        {SERVICE, DJ_OUTCOME_NO_FRAMES, 1, 0, "contains no process"},
        {NOT_FOUND, DJ_OUTCOME_NO_PROCESS, 1, 0, "No process found for: a"},
        {"x\n\n" NOT_FOUND, DJ_OUTCOME_NO_PROCESS, 3, 3, "No process found for: a"},
        {DENIED, DJ_OUTCOME_PERMISSION_DENIED, 1, 0, "permission"},
        {"x\n" DENIED, DJ_OUTCOME_PERMISSION_DENIED, 2, 2, "permission"},
        {FAILED, DJ_OUTCOME_DUMP_FAILED, 5, 98, "dump-failed"},
        {"Failure while dumping the app: a\n", DJ_OUTCOME_DUMP_FAILED, 1, 0,
         "did not answer"},
        {"", DJ_OUTCOME_NOT_GFXINFO, 1, 0, "no gfxinfo text in 0 lines"},
        {"hello\n", DJ_OUTCOME_NOT_GFXINFO, 1, 0, "no gfxinfo text in 1 lines"},
        {"---PROFILEDATA---\nFlags,IntendedVsync,FrameCompleted,\n0,1,\n"
         "---PROFILEDATA---\n",
         DJ_OUTCOME_NO_FRAMES, 1, 0, "none of the 1 rows"},
        {"Davey! duration=700ms; Flags=0, \n", DJ_OUTCOME_OK, 1, 0, ""},
        {"Package: a\nVersion: 1\nStats since: 5ns\nTotal frames rendered: 7\n",
         DJ_OUTCOME_OK, 1, 0, ""},
        {"\tDraw\tPrepare\tProcess\tExecute\n\t1.00\t2.00\t3.00\t4.00\n", DJ_OUTCOME_OK,
         1, 0, ""},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        read_whole(texts[i].text);
        end_input();
        cr_assert_eq(input.outcome, texts[i].outcome, "%s: %s", texts[i].text,
                     dj_import_outcome_get_name(input.outcome));
        cr_assert_not_null(strstr(input.error.message, texts[i].words), "%s: %s",
                           texts[i].text, input.error.message);
        cr_assert_eq(input.error.message[0] == '\0', texts[i].words[0] == '\0');
        cr_assert_eq(input.error_line, texts[i].line, "%s: line %zu", texts[i].text,
                     input.error_line);
        cr_assert_eq(input.error_byte, texts[i].byte, "%s: byte %zu", texts[i].text,
                     input.error_byte);
        cr_assert_eq(taken.count, 1, "one dump is always handed out");
        cr_assert_eq(taken.first[0], 1);
        cr_assert_eq(taken.outcome[0], texts[i].outcome);
        cr_assert_str_eq(taken.error[0], input.error.message);
        restart_input();
    }
}

/* The outcome is the same if the text is fed byte by byte. */
Test(input, a_text_may_be_fed_in_pieces)
{
    static const char text[] = FAILED OK EMPTY;
    for (size_t i = 0; i + 1 < sizeof(text); i++) {
        cr_assert_eq(dj_import_input_feed(&input, &text[i], 1), 0);
    }
    cr_assert_eq(dj_import_input_end_text(&input), 0);
    end_input();
    cr_assert_eq(taken.count, 3);
    cr_assert_eq(taken.outcome[0], DJ_OUTCOME_DUMP_FAILED);
    cr_assert_eq(taken.outcome[1], DJ_OUTCOME_OK);
    cr_assert_eq(input.outcome, DJ_OUTCOME_OK);
    cr_assert_str_eq(input.error.message, "");
}

Test(input, the_best_outcome_of_several_dumps_is_used)
{
    static const struct {
        const char *text;
        enum dj_dump_outcome outcome;
        size_t count;
    } texts[] = {
        {EMPTY OK, DJ_OUTCOME_OK, 2},
        {OK EMPTY, DJ_OUTCOME_OK, 2},
        {OK FAILED, DJ_OUTCOME_OK, 2},
        {FAILED OK, DJ_OUTCOME_OK, 2},
        {NOT_FOUND OK, DJ_OUTCOME_OK, 2},
        {OK NOT_FOUND, DJ_OUTCOME_OK, 1},
        {DENIED OK, DJ_OUTCOME_OK, 1},
        {NOT_FOUND EMPTY, DJ_OUTCOME_NO_FRAMES, 2},
        {EMPTY FAILED, DJ_OUTCOME_NO_FRAMES, 2},
        {FAILED EMPTY, DJ_OUTCOME_NO_FRAMES, 2},
        {NOT_FOUND FAILED, DJ_OUTCOME_NO_PROCESS, 2},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        read_whole(texts[i].text);
        end_input();
        cr_assert_eq(input.outcome, texts[i].outcome, "%zu: %s", i,
                     dj_import_outcome_get_name(input.outcome));
        cr_assert_eq(taken.count, texts[i].count, "%zu: %zu dumps", i, taken.count);
        cr_assert_eq(input.error.message[0] == '\0', input.outcome == DJ_OUTCOME_OK);
        cr_assert_eq(taken.first[0], 1);
        cr_assert_eq(taken.first[1], 0);
        restart_input();
    }
}

/* An archive has several texts, and each of them may contain dumps. */
Test(input, several_texts_form_one_input)
{
    read_whole("hello\n");
    read_whole(OK);
    read_whole(EMPTY);
    read_whole("");
    end_input();
    cr_assert_eq(taken.count, 2);
    cr_assert_eq(input.outcome, DJ_OUTCOME_OK);
    restart_input();
    read_whole("hello\n");
    read_whole("world\n");
    end_input();
    cr_assert_eq(taken.count, 1);
    cr_assert_eq(input.outcome, DJ_OUTCOME_NOT_GFXINFO);
}

/* A message of the device has a place in the text. This place is used only if the message
 * explains the outcome. */
Test(input, a_denial_in_another_text_does_not_explain_an_empty_dump)
{
    read_whole(EMPTY);
    read_whole(DENIED);
    end_input();
    cr_assert_eq(input.outcome, DJ_OUTCOME_NO_FRAMES);
    cr_assert_eq(taken.count, 1);
    cr_assert_not_null(strstr(input.error.message, "no frame was drawn"));
    cr_assert_eq(input.error_line, 1);
    cr_assert_eq(input.error_byte, 0);
}

Test(input, the_first_dump_with_a_release_decides)
{
    read_whole(OK SERVICE
               "** Graphics info for pid 2 [b] **\nGPU HISTOGRAM: 1ms=1\n" SERVICE
               "** Graphics info for pid 3 [c] **\nNumber Slow draw: 1\n");
    end_input();
    cr_assert_eq(taken.count, 3);
    cr_assert_str_eq(taken.dialect[0], dj_frame_dialect_default()->name,
                     "nothing tells: 11");
    cr_assert_str_eq(taken.dialect[1], "11");
    cr_assert_str_eq(taken.dialect[2], "preview");
    cr_assert_str_eq(input.dialect->name, "11");
    cr_assert(input.dialect_inferred);
    cr_assert_eq(input.evidence.hints, DJ_HINT_LINES);
}

Test(input, the_release_of_the_caller_is_used)
{
    finish_input();
    start_with_release(dj_frame_dialect_find("14"));
    read_whole(OK SERVICE "** Graphics info for pid 3 [c] **\nNumber Slow draw: 1\n");
    end_input();
    cr_assert_str_eq(taken.dialect[0], "14");
    cr_assert_str_eq(taken.dialect[1], "14");
    cr_assert_str_eq(input.dialect->name, "14");
    cr_assert_not(input.dialect_inferred);
}

Test(input, the_release_may_be_unknown)
{
    read_whole(OK);
    end_input();
    cr_assert_null(input.dialect);
    cr_assert_not(input.dialect_inferred);
    cr_assert_eq(input.evidence.hints, 0);
}

Test(input, an_unreadable_input_has_one_empty_dump)
{
    struct dj_error err = {0};
    dj_error_set(&err, DJ_E_IO, "cannot open");
    dj_import_input_break(&input, &err);
    end_input();
    cr_assert_eq(taken.count, 1);
    cr_assert_eq(taken.processes[0], 0);
    cr_assert_eq(input.outcome, DJ_OUTCOME_NOT_GFXINFO);
    cr_assert_str_eq(input.error.message, "cannot open");
    cr_assert_str_eq(taken.error[0], "cannot open");
    cr_assert_eq(input.broken.code, DJ_E_IO);
}

/* Dumps that were read before an error remain valid and have their own outcome. */
Test(input, dumps_before_an_error_remain_valid)
{
    struct dj_error err = {0};
    read_whole(OK);
    dj_error_set(&err, DJ_E_TRUNCATED, "the archive is cut");
    dj_import_input_break(&input, &err);
    end_input();
    cr_assert_eq(taken.count, 1);
    cr_assert_eq(input.outcome, DJ_OUTCOME_OK);
    cr_assert_str_eq(input.error.message, "");
    cr_assert_eq(input.broken.code, DJ_E_TRUNCATED);
    cr_assert_str_eq(input.broken.message, "the archive is cut");
}

Test(input, an_error_does_not_change_the_outcome_of_an_empty_dump)
{
    struct dj_error err = {0};
    read_whole(EMPTY);
    dj_error_set(&err, DJ_E_TRUNCATED, "the archive is cut");
    dj_import_input_break(&input, &err);
    end_input();
    cr_assert_eq(input.outcome, DJ_OUTCOME_NO_FRAMES);
    cr_assert_not_null(strstr(input.error.message, "no frame was drawn"));
    cr_assert_eq(input.broken.code, DJ_E_TRUNCATED);
}

Test(input, a_dump_may_be_added_without_text)
{
    struct dj_dump dump = {.uptime_ms = -1, .realtime_ms = -1};
    struct dj_graphicsstats *entry = dj_gfxinfo_dump_add_graphicsstats(&dump);
    entry->package = strdup("com.x");
    entry->stats.present = true;
    entry->stats.stats.counter[DJ_COUNTER_TOTAL] = 5;
    cr_assert_eq(dj_import_input_add(&input, &dump), 0);
    cr_assert_eq(dump.graphicsstats_count, 0, "it was taken over");
    end_input();
    cr_assert_eq(taken.count, 1);
    cr_assert_eq(input.outcome, DJ_OUTCOME_OK);
}

Test(input, the_error_of_the_callback_is_returned)
{
    taken.fail_at = 1;
    cr_assert_eq(dj_import_input_feed(&input, OK OK, strlen(OK OK)), -77);
    cr_assert_eq(taken.count, 1);
    restart_input();
    taken.fail_at = 1;
    cr_assert_eq(dj_import_input_end(&input), -77, "of the empty one, too");
    restart_input();
    taken.fail_at = 2;
    cr_assert_eq(dj_import_input_feed(&input, OK OK, strlen(OK OK)), 0);
    cr_assert_eq(dj_import_input_end_text(&input), -77);
}

Test(input, outcomes_have_stable_names)
{
    static const char *const names[DJ_OUTCOME_COUNT] = {
        "ok",          "no-frames",  "no-process", "permission-denied",
        "dump-failed", "not-gfxinfo"};
    for (size_t i = 0; i < DJ_OUTCOME_COUNT; i++) {
        cr_assert_str_eq(dj_import_outcome_get_name((enum dj_dump_outcome)i), names[i]);
    }
}
