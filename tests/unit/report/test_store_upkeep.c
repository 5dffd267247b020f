#include <criterion/criterion.h>
#include <string.h>

#include "report/store_upkeep.h"

static struct dj_store_page page;

static void finish(void)
{
    dj_text_finish(&page.text);
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
    expect_text("1 batch, 3 runs, 1 piece of evidence: 0 problems\n");
}

Test(store_upkeep, check_hints_at_old_figures_and_omitted_problems)
{
    const struct dj_store_check_result checked = {.batches = 2,
                                                  .runs = 1,
                                                  .evidence = 2,
                                                  .problems = DJ_STORE_PROBLEMS_MAX + 1,
                                                  .older_figures = 1};
    dj_report_store_check(&page, &checked);
    expect_text("2 batches, 1 run, 2 pieces of evidence: 101 problems\n"
                "(the first 100 of them are told)\n"
                "figures of 1 run were computed by an earlier version: dejank store "
                "recompute\n");
}

Test(store_upkeep, problems_are_lines_with_escaped_control_characters)
{
    dj_report_store_problem(&page, "run \033[31m has no evidence");
    cr_expect_null(strchr(dj_text_get(&page.text), '\033'));
    cr_expect_eq(page.text.data[page.text.length - 1], '\n');
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
    expect_text("a.db: loaded 1 batch, 2 runs; 1 run was there already; 4 became further "
                "attempts\n");
}

Test(store_upkeep, exported_file_without_known_runs)
{
    const struct dj_store_copy_counts moved = {.batches = 2, .runs = 20};
    dj_report_store_moved(&page, "wrote", "out.db", &moved);
    expect_text("out.db: wrote 2 batches, 20 runs\n");
}

Test(store_upkeep, recomputed_figures)
{
    const struct dj_store_recompute_result done = {.runs = 5, .changed = 2};
    dj_report_store_recomputed(&page, &done);
    expect_text("computed the figures of 5 runs anew: 2 changed\n");
}

Test(store_upkeep, recomputed_figures_in_json)
{
    const struct dj_store_recompute_result done = {.runs = 5, .changed = 2};
    page.json = true;
    dj_report_store_recomputed(&page, &done);
    expect_text("{\"schema\":\"dejank.store/1\",\"did\":\"recompute\",\"runs\":5,"
                "\"changed\":2}\n");
}

Test(store_upkeep, prune_says_whether_it_deleted)
{
    const struct dj_store_prune_result pruned = {
        .batches = 1, .runs = 10, .evidence = 1, .evidence_bytes = 2500000};
    dj_report_store_pruned(&page, false, &pruned);
    dj_report_store_pruned(&page, true, &pruned);
    expect_text("would delete 1 batch, 10 runs, 1 piece of evidence (2.5 MB)\n"
                "deleted 1 batch, 10 runs, 1 piece of evidence (2.5 MB)\n");
}

Test(store_upkeep, pruned_recordings)
{
    dj_report_store_pruned_recordings(&page, true, 2, 1500000);
    dj_report_store_pruned_recordings(&page, false, 1, 0);
    expect_text("deleted 2 recordings (1.5 MB)\nwould delete 1 recording (0.0 MB)\n");
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
    expect_text("a#7: the run is left out: phone was used\na: the batch counts again\n");
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
}
