#include <criterion/criterion.h>
#include <string.h>

#include "report/view/notes.h"
#include "support.h"

static struct dj_dump create_dump(size_t frames)
{
    return make_dump(&(struct made_dump){
        .frames = frames, .freeze = SIZE_MAX, .process = "p", .window = "w"});
}

/* All notes of the dump's first view, a line each. */
static struct dj_text write_notes(const struct dj_dump *dump)
{
    struct dj_text text = {0};
    struct dj_views views = create_views(dump);
    struct dj_text note = {0};
    size_t at = 0;
    while (dj_notes_get_next(&views.view[0], &at, &note)) {
        dj_text_format(&text, "%s\n", dj_text_get(&note));
    }
    dj_report_finish_views(&views);
    return text;
}

static void expect_note(const struct dj_dump *dump, const char *sentence)
{
    struct dj_text text = write_notes(dump);
    cr_expect(strstr(dj_text_get(&text), sentence) != NULL, "no '%s' in:\n%s", sentence,
              dj_text_get(&text));
    dj_text_finish(&text);
}

Test(notes, a_plain_dump_has_none)
{
    struct dj_dump dump = create_dump(10);
    struct dj_text text = write_notes(&dump);
    cr_expect_str_eq(dj_text_get(&text), "");
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, facts_of_our_own_recorder_have_notes)
{
    struct dj_dump dump = create_dump(10);
    struct dj_dump_process *process = &dump.processes[0];
    process->ended = true;
    process->recovered = 598;
    process->expected = 600;
    process->dropped = 3;
    process->interval_assumed = true;
    process->not_recorded =
        DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START) | DJ_COLUMN_BIT(DJ_COLUMN_ANIMATION_START);
    process->disabled = copy_string("no\nmemory");
    process->cut_short = copy_string("device\noffline");
    expect_note(&dump, "The process has ended");
    expect_note(&dump,
                "Recovered 598 of 600 frames of the collection window (99.7 %).\n");
    expect_note(&dump, "3 frames could not be recorded.\n");
    expect_note(&dump, "The deadline of 16.67 ms (60 Hz) is assumed");
    expect_note(&dump, "Not recorded (unknown, not zero): AnimationStart, DrawStart.\n");
    expect_note(&dump, "Recording stopped: no\\x0Amemory.\n");
    expect_note(&dump, "The collection ended early: device\\x0Aoffline.\n");
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, counts_beyond_the_window_are_explained)
{
    struct dj_dump dump = create_dump(10);
    struct dj_dump_process *process = &dump.processes[0];
    process->stats.stats.counter[DJ_COUNTER_TOTAL] = 13;
    process->recovered = process->expected = 10;
    expect_note(&dump, "Recovered 10 of 10 frames of the collection window, and the "
                       "counters include the time of the readings.\n");
    process->stats.stats.counter[DJ_COUNTER_TOTAL] = 10;
    expect_note(&dump, "Recovered 10 of 10 frames of the collection window.\n");
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, rows_left_out_are_counted_with_their_reason)
{
    struct dj_dump dump = create_dump(10);
    dump.processes[0].windows[0].frames[0].value[DJ_COLUMN_FLAGS] =
        DJ_FLAG_WINDOW_CHANGED;
    dump.processes[0].windows[0].frames[9].value[DJ_COLUMN_FLAGS] = DJ_FLAG_SKIPPED_FRAME;
    expect_note(&dump, "2 of 10 rows are excluded from the exact figures: 1 window "
                       "changed, 1 skipped.\n");
    dump.processes[0].not_recorded |= DJ_COLUMN_BIT(DJ_COLUMN_VSYNC);
    dump.processes[0].windows[0].frames[5].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_VSYNC);
    expect_note(&dump, "The rule of Android 11 cannot judge 1 of 10 rows, because these "
                       "rows lack a column or consist "
                       "of waits.\n");
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, fewer_rows_than_counted_frames_have_a_note)
{
    struct dj_dump dump = create_dump(10);
    dump.processes[0].windows[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 82189;
    expect_note(
        &dump,
        "The exact figures describe 10 of 82189 frames: only these have usable rows.\n");
    dump.processes[0].windows[0].frame_count = 0;
    expect_note(
        &dump,
        "This process has no frame rows, so exact figures and stages are unknown.\n");
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, a_missed_deadline_names_the_longest_stage)
{
    struct dj_dump dump = create_dump(10);
    struct dj_text text = {0};
    for (size_t i = 0; i < 10; i++) {
        struct dj_frame *frame = &dump.processes[0].windows[0].frames[i];
        int64_t end_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
        frame->known |= DJ_COLUMN_BIT(DJ_COLUMN_FRAME_DEADLINE) |
                        DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED);
        frame->value[DJ_COLUMN_GPU_COMPLETED] = end_ns;
        frame->value[DJ_COLUMN_FRAME_DEADLINE] = end_ns + (i < 6 ? 1 : 0);
    }
    struct dj_views views = create_views(&dump);
    dj_notes_describe_finding(&views.view[0], DJ_FINDING_DEADLINE_MISSED, &text);
    cr_expect(strncmp(dj_text_get(&text), "Missed deadline: 4 of 10 frames", 31) == 0);
    cr_expect_not_null(strstr(dj_text_get(&text), " ms late (row "));
    cr_expect_not_null(strstr(dj_text_get(&text), ". Longest stage: Issue commands in 3 "
                                                  "of 4."),
                       "%s", dj_text_get(&text));
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, an_empty_view_says_that_nothing_is_known)
{
    struct dj_dump dump = create_dump(0);
    struct dj_views views = create_views(&dump);
    struct dj_text text = {0};
    cr_assert(dj_view_is_empty(&views.view[0]));
    dj_notes_write_verdict(&views.view[0], &text);
    cr_expect_str_eq(dj_text_get(&text), "NO FRAMES: no frame was drawn");
    dj_text_clear(&text);
    dj_notes_explain_verdict(&views.view[0], &text);
    cr_expect_str_eq(dj_text_get(&text), "So the smoothness of the app is unknown.");
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, sums_that_were_recounted)
{
    struct dj_dump dump = create_dump(10);
    dump.processes[0].recount = (struct dj_dump_recount){
        dj_frame_dialect_find("11"), dj_frame_dialect_find("9"), 4096, 9001};
    expect_note(&dump, "The frames were recorded by the rule of Android 11. dejank "
                       "counted them again by the rule of Android 9, "
                       "from the 4096 of 9001 frames that are still kept.\n");
    dj_gfxinfo_dump_finish(&dump);
}

/* Names the evidence; for a process of another release, says that it differs. */
Test(notes, an_inferred_release_names_its_evidence)
{
    struct dj_dump dump = create_dump(10);
    dump.dialect_inferred = true;
    dump.evidence = (struct dj_release_evidence){.hints = DJ_HINT_COLUMNS | DJ_HINT_LINES,
                                                 .columns = 23};
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        bool fits = dj_frame_dialect_at(i)->columns.count == 23;
        dump.evidence.fitting |= fits ? UINT32_C(1) << i : 0;
    }
    expect_note(&dump, "is inferred (23 columns, the lines of its statistics: 13, 14 or "
                       "15).\n");
    dump.processes[0].dialect = dj_frame_dialect_find("9");
    expect_note(&dump,
                "Android 9 is inferred from the lines and columns of this process.\n");
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, the_verdict_names_one_sample_and_the_explanation_the_other)
{
    struct dj_dump dump = create_dump(90);
    struct dj_text text = {0};
    dump.processes[0].windows[0].stats.stats.counter[DJ_COUNTER_TOTAL] = 1000;
    struct dj_views views = create_views(&dump);
    dj_notes_write_verdict(&views.view[0], &text);
    cr_expect_str_eq(dj_text_get(&text), "JANKY: 10 of 90 rows janky (11.11 %)");
    dj_text_clear(&text);
    dj_notes_explain_verdict(&views.view[0], &text);
    cr_expect_str_eq(
        dj_text_get(&text),
        "This is the share of frames with rows. hwui counted 1000 frames, 10 "
        "of them janky (1.00 %). SMOOTH: at "
        "most 2 % of frames janky. UNEVEN: at most 10 %. JANKY: more.");
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, a_finding_has_its_limit_and_its_worst_row)
{
    struct dj_dump dump = create_dump(90);
    struct dj_text text = {0};
    struct dj_views views = create_views(&dump);
    dj_notes_describe_finding(&views.view[0], DJ_FINDING_SYNC, &text);
    const char *sentence = dj_text_get(&text);
    cr_expect(strstr(sentence, ": 90 of 90 frames over 0.4 ms, 10 of them janky, worst "
                               "0.50 ms (row ") != NULL,
              "%s", sentence);
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}

Test(notes, facts_are_the_release_the_interval_and_the_input)
{
    struct dj_dump dump = create_dump(3);
    struct dj_text text = {0};
    struct dj_views views = create_views(&dump);
    dj_notes_write_facts(&views.view[0], &text);
    cr_expect_str_eq(
        dj_text_get(&text),
        "pid 4242 · Android 11 · frame interval 16.67 ms (60 Hz) · dump.txt");
    dj_text_finish(&text);
    dj_report_finish_views(&views);
    dj_gfxinfo_dump_finish(&dump);
}
