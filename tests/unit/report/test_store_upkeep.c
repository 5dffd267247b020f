#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/store_upkeep.h"
#include "support.h"

static struct dj_store_page page;

static void finish(void)
{
    dj_text_finish(&page.text);
    dj_report_store_finish(&page);
}

static void expect_shown(const char *expected)
{
    expect_document(&page.document, 80, expected);
}

static void expect_text(const char *expected)
{
    cr_expect_str_eq(dj_text_get(&page.text), expected);
}

TestSuite(store_upkeep, .fini = finish);

Test(store_upkeep, check_counts_batches_runs_and_problems)
{
    const struct dj_store_check_result checked = {
        .batches = 1, .runs = 3, .evidence = 1, .problems = 0};
    dj_report_store_check(&page, &checked);
    expect_shown("The store is intact: 1 batch, 3 runs, 1 piece of evidence\n");
}

Test(store_upkeep, check_hints_at_old_figures_and_omitted_problems)
{
    const struct dj_store_check_result checked = {.batches = 2,
                                                  .runs = 1,
                                                  .evidence = 2,
                                                  .problems = DJ_STORE_PROBLEMS_MAX + 1,
                                                  .older_figures = 1};
    page.store = "a b.db";
    dj_report_store_problem(&page, "run 7 has no evidence");
    dj_report_store_check(&page, &checked);
    expect_shown(
        "The store is damaged: 101 problems in 2 batches, 1 run, 2 pieces of "
        "evidence\n\n"
        "* run 7 has no evidence\n"
        "* Only the first 100 problems are shown.\n"
        "* An earlier version of dejank computed the figures of 1 run.\n\n"
        "next:\n  dejank store recompute --store 'a b.db'  computes all figures again\n");
}

Test(store_upkeep, problems_are_notes_with_escaped_control_characters)
{
    dj_report_store_problem(&page, "run \033[31m has no evidence");
    dj_report_store_check(&page, &(struct dj_store_check_result){.problems = 1});
    expect_shown("The store is damaged: 1 problem in 0 batches, 0 runs, 0 pieces of "
                 "evidence\n\n* run \\x1b[31m has no evidence\n");
}

Test(store_upkeep, problems_in_json_are_strings_of_the_array)
{
    page.json = true;
    dj_report_store_begin(&page, "check", "problems");
    dj_report_store_problem(&page, "one");
    dj_report_store_problem(&page, "two");
    dj_report_store_check(&page, &(struct dj_store_check_result){.problems = 2});
    expect_text("{\"schema\":\"dejank.store/1\",\"did\":\"check\",\"problems\":[\"one\","
                "\"two\"],\"problem_count\":2,\"batches\":0,\"runs\":0,\"windows\":0,"
                "\"evidence\":0,\"older_figures\":0}\n");
}

Test(store_upkeep, moved_file_names_known_and_renumbered_runs)
{
    const struct dj_store_copy_counts moved = {
        .batches = 1, .runs = 2, .known_runs = 1, .renumbered_runs = 4};
    dj_report_store_moved(&page, "loaded", "a.db", &moved);
    expect_shown("a.db: loaded 1 batch, 2 runs. 1 run was already in the store. 4 runs "
                 "were stored\n"
                 "as further attempts\n");
}

Test(store_upkeep, exported_file_without_known_runs)
{
    const struct dj_store_copy_counts moved = {.batches = 2, .runs = 20};
    dj_report_store_moved(&page, "wrote", "out.db", &moved);
    expect_shown("out.db: wrote 2 batches, 20 runs\n");
}

Test(store_upkeep, recomputed_figures)
{
    const struct dj_store_recompute_result done = {.runs = 5, .changed = 2};
    dj_report_store_recomputed(&page, &done);
    expect_shown("Computed the figures of 5 runs again: 2 changed\n");
}

Test(store_upkeep, recomputed_figures_in_json)
{
    const struct dj_store_recompute_result done = {.runs = 5, .changed = 2};
    page.json = true;
    dj_report_store_recomputed(&page, &done);
    expect_text("{\"schema\":\"dejank.store/1\",\"did\":\"recompute\",\"runs\":5,"
                "\"changed\":2}\n");
}

static void report_prune(bool deleted)
{
    const struct dj_store_prune_result pruned = {
        .batches = 1, .runs = 10, .evidence = 1, .evidence_bytes = 2500000};
    const struct dj_batch_row batch = {
        .id = "abcd1234abcd1234", .project = "com.x", .name = "scroll"};
    cr_assert_eq(dj_report_store_pruned_batch(&page, &batch), 0);
    dj_report_store_pruned(&page, deleted, &pruned);
}

Test(store_upkeep, prune_lists_batches_after_the_sum)
{
    setenv("TZ", "UTC", 1);
    report_prune(false);
    expect_shown("Would delete 1 batch, 10 runs, 1 piece of evidence (2.5 MB)\n\n"
                 "batch             began             project  name\n"
                 "abcd1234abcd1234  1970-01-01 00:00  com.x    scroll\n");
}

Test(store_upkeep, prune_that_deleted_batches)
{
    report_prune(true);
    cr_expect(strncmp(page.document.blocks[0].text, "Deleted 1 batch, 10 runs, ", 26) ==
              0);
}

Test(store_upkeep, pruned_recordings)
{
    const struct dj_kept_recording recording = {.name = "com.x", .bytes = 1500000};
    setenv("TZ", "UTC", 1);
    dj_report_store_pruned_recording(&page, &recording);
    dj_report_store_pruned_recordings(&page, true, 1, 1500000);
    expect_shown("Deleted 1 recording (1.5 MB)\n\n"
                 "ended             size, MB  recording\n"
                 "1970-01-01 00:00       1.5  com.x\n");
}

Test(store_upkeep, no_recording_to_prune)
{
    dj_report_store_pruned_recordings(&page, false, 0, 0);
    expect_shown("Would delete 0 recordings (0.0 MB)\n");
}

Test(store_upkeep, pruned_recordings_in_json)
{
    const struct dj_kept_recording recording = {
        .name = "com.x", .named = true, .count = 2, .last_unix_ms = 7, .bytes = 9};
    page.json = true;
    dj_report_store_begin(&page, "prune-recordings", "recordings");
    dj_report_store_pruned_recording(&page, &recording);
    dj_report_store_pruned_recordings(&page, false, 1, 9);
    expect_text("{\"schema\":\"dejank.store/1\",\"did\":\"prune-recordings\","
                "\"recordings\":[{\"name\":\"com.x\",\"named\":true,\"processes\":2,"
                "\"last_unix_ms\":7,\"bytes\":9}],\"deleted\":false,\"bytes\":9}\n");
}

Test(store_upkeep, excluded_and_included_operands)
{
    dj_report_store_excluded(&page, "a#7", 7, "phone was used");
    dj_report_store_excluded(&page, "a", 0, NULL);
    expect_shown("a#7: the run is excluded: phone was used\n"
                 "a: the batch is included again\n");
}

Test(store_upkeep, excluded_batch_in_json_has_no_run)
{
    page.json = true;
    dj_report_store_excluded(&page, "a", 0, "why");
    expect_text("{\"what\":\"a\",\"run\":null}");
}

Test(store_upkeep, json_functions_do_nothing_for_people)
{
    dj_report_store_begin(&page, "check", "problems");
    dj_report_store_close_array(&page);
    dj_report_store_end(&page);
    cr_expect_eq(page.text.length, 0);
    cr_expect_eq(page.document.block_count, 0);
}
