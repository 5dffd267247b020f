#include <criterion/criterion.h>
#include <string.h>

#include "gate/baseline.h"

static struct dj_batch_row batch[12];
static struct dj_catalogue catalogue = {.batch = batch};
static struct dj_cells cells;

/* Adds a row to the catalogue. The catalogue is sorted with the newest row first, so the
 * newest must be added first. */
static struct dj_batch_row *add(const char *id, const char *flow, const char *version,
                                const char *commit, const char *label)
{
    struct dj_batch_row *own = &batch[catalogue.count];
    *own = (struct dj_batch_row){.key = (int64_t)(100 - catalogue.count),
                                 .id = id,
                                 .name = flow,
                                 .project = "shop",
                                 .serial = "phone",
                                 .version = version,
                                 .commit = commit,
                                 .label = label,
                                 .runs.clean = 10};
    catalogue.count++;
    return own;
}

static int choose(const char *candidate, const char *baseline, struct dj_error *err)
{
    struct dj_cells_options wish = {.candidate = candidate,
                                    .has_baseline = baseline != NULL};
    dj_gate_cells_finish(&cells);
    if (baseline != NULL) {
        cr_assert_eq(dj_gate_baseline_parse(baseline, &wish.baseline, err), 0, "%s",
                     err->message);
    }
    return dj_gate_cells_choose(&catalogue, &wish, &cells, err);
}

static void expect_cell(size_t i, const char *flow, const char *candidate,
                        const char *baselines)
{
    struct dj_text text = {0};
    cr_assert_lt(i, cells.count);
    cr_expect_str_eq(cells.cell[i].flow, flow);
    cr_expect_str_eq(cells.cell[i].candidate != NULL ? cells.cell[i].candidate->id : "-",
                     candidate);
    for (size_t k = 0; k < cells.cell[i].baseline_count; k++) {
        dj_text_format(&text, "%s%s", k > 0 ? " " : "", cells.cell[i].baseline[k]->id);
    }
    cr_expect_str_eq(dj_text_get(&text), baselines);
    dj_text_finish(&text);
}

static void expect_error(const char *candidate, const char *baseline, int code,
                         const char *part)
{
    struct dj_error err = {0};
    cr_expect_eq(choose(candidate, baseline, &err), code);
    cr_expect_not_null(strstr(err.message, part), "%s", err.message);
}

/* ---- words ---- */

Test(baseline, baseline_options_are_parsed)
{
    struct dj_baseline_option wish;
    cr_assert_eq(dj_gate_baseline_parse("last-release", &wish, NULL), 0);
    cr_expect_eq(wish.kind, DJ_BASELINE_LAST_RELEASE);
    cr_assert_eq(dj_gate_baseline_parse("merge-base", &wish, NULL), 0);
    cr_expect(wish.kind == DJ_BASELINE_MERGE_BASE && wish.name[0] == '\0');
    cr_assert_eq(dj_gate_baseline_parse("merge-base:origin/main", &wish, NULL), 0);
    cr_expect_str_eq(wish.name, "origin/main");
    cr_assert_eq(dj_gate_baseline_parse("last:8:main", &wish, NULL), 0);
    cr_expect(wish.kind == DJ_BASELINE_LAST && wish.count == 8);
    cr_expect_str_eq(wish.name, "main");
    cr_assert_eq(dj_gate_baseline_parse("build:none", &wish, NULL), 0);
    cr_expect(wish.kind == DJ_BASELINE_NAMED && strcmp(wish.name, "none") == 0);
    cr_assert_eq(dj_gate_baseline_parse("1.8.2", &wish, NULL), 0);
    cr_expect_eq(wish.kind, DJ_BASELINE_NAMED);
}

Test(baseline, invalid_baseline_options_are_refused)
{
    static const char *const words[] = {"last:0",    "last:",   "last:-1",     "last:2x",
                                        "last:1001", "last:3:", "merge-base:", ""};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct dj_baseline_option wish;
        struct dj_error err = {0};
        cr_expect_eq(dj_gate_baseline_parse(words[i], &wish, &err), DJ_E_USAGE, "%s",
                     words[i]);
        cr_expect_not_null(strstr(err.message, "expected"));
    }
}

/* ---- releases ---- */

Test(baseline, candidate_is_not_its_own_last_release)
{
    struct dj_error err = {0};
    add("n1", "scroll", "2.0.0-rc1", "cccccccc", NULL);
    add("n2", "scroll", "2.0.0-beta", "bbbbbbbb", NULL);
    add("r2", "scroll", "1.9.0", "aaaaaaaa", NULL);
    add("r3", "tap", "1.9.0", "aaaaaaaa", NULL);
    add("r1", "scroll", "1.8.2", NULL, NULL);
    cr_assert_eq(choose(NULL, NULL, &err), 0, "%s", err.message);
    cr_expect_eq(cells.count, 2);
    expect_cell(0, "scroll", "n1", "r2");
    /* The last release has a batch of this cell, and the candidate has none. */
    expect_cell(1, "tap", "-", "r3");
    cr_expect_str_eq(cells.words, "last release 1.9.0 (aaaaaaaa)");
    cr_assert_eq(choose("1.9.0", "last-release", &err), 0, "%s", err.message);
    expect_cell(0, "scroll", "r2", "r1");
    expect_cell(1, "tap", "r3", "");
    expect_error("1.8.2", "last-release", DJ_E_NO_DATA,
                 "no build with the version of a release");
    dj_gate_cells_finish(&cells);
}

/* ---- names ---- */

Test(baseline, baseline_is_found_by_the_name_of_a_build)
{
    struct dj_error err = {0};
    add("bbbb2222", "scroll", NULL, "fedcba9876543210", "B");
    /* The same build was measured twice. */
    add("bbbb1111", "scroll", NULL, "fedcba9876543210", "B");
    add("aaaa1111", "scroll", NULL, "0123456789abcdef", "A");
    cr_assert_eq(choose("B", "A", &err), 0, "%s", err.message);
    expect_cell(0, "scroll", "bbbb2222", "aaaa1111");
    cr_assert_eq(choose("fedcba9", "0123456", &err), 0, "%s", err.message);
    expect_cell(0, "scroll", "bbbb2222", "aaaa1111");
    cr_assert_eq(choose("bbbb1", "aaaa", &err), 0, "%s", err.message);
    expect_error("B", "C", DJ_E_NO_DATA, "no batch of the baseline 'C'");
    expect_error("B", "fedcba9", DJ_E_USAGE, "is the candidate itself");
    expect_error("'; DROP TABLE runs", "A", DJ_E_NO_DATA, "no such plan or build");
    expect_error("B", "interleaved", DJ_E_NO_DATA, "not measured interleaved");
    /* Six characters are too few for a commit. */
    expect_error("fedcba", "A", DJ_E_NO_DATA, "no batch");
    dj_gate_cells_finish(&cells);
}

/* ---- interleaved ---- */

Test(baseline, baseline_is_the_other_arm)
{
    struct dj_error err = {0};
    struct dj_batch_row *a = add("arm0", "scroll", NULL, NULL, "A");
    struct dj_batch_row *b = add("arm1", "scroll", NULL, NULL, "B");
    struct dj_batch_row *old = add("old0", "scroll", NULL, NULL, "A");
    a->group = b->group = "g2";
    a->arm = "A";
    b->arm = "B";
    old->group = "g1";
    old->arm = "A";
    cr_assert_eq(choose(NULL, NULL, &err), 0, "%s", err.message);
    expect_cell(0, "scroll", "arm1", "arm0");
    cr_assert_eq(choose("B", "A", &err), 0, "%s", err.message);
    /* This batch was measured together with the candidate. It is preferred to other
     * batches. */
    expect_cell(0, "scroll", "arm1", "arm0");
    dj_gate_cells_finish(&cells);
}

/* ---- the last so many ---- */

Test(baseline, last_batches_are_the_baseline)
{
    struct dj_error err = {0};
    add("c5", "scroll", NULL, "55555555", "main");
    add("f1", "scroll", NULL, "99999999", "feature");
    add("c4", "scroll", NULL, "44444444", "main");
    add("c3", "scroll", NULL, "33333333", "main");
    add("c2", "scroll", NULL, "22222222", "main");
    /* This flow is no longer measured. */
    add("c1", "gone", NULL, "11111111", "main");
    cr_assert_eq(choose(NULL, "last:2", &err), 0, "%s", err.message);
    expect_cell(0, "scroll", "c5", "f1 c4");
    cr_assert_eq(choose(NULL, "last:9:main", &err), 0, "%s", err.message);
    cr_expect_eq(cells.count, 1);
    expect_cell(0, "scroll", "c5", "c4 c3 c2");
    cr_assert_eq(choose("44444444", "last:9:main", &err), 0, "%s", err.message);
    /* No baseline batch is newer than the candidate. */
    expect_cell(0, "scroll", "c4", "c3 c2");
    expect_error("1111111", "last:3", DJ_E_NO_DATA, "no batch before the candidate");
    dj_gate_cells_finish(&cells);
}

/* Batches without version, commit and label do not belong to the same build. */
Test(baseline, batches_without_build_are_different_builds)
{
    struct dj_error err = {0};
    add("b3", "scroll", NULL, NULL, NULL);
    add("b2", "scroll", NULL, NULL, NULL);
    cr_assert_eq(choose(NULL, "last:1", &err), 0, "%s", err.message);
    expect_cell(0, "scroll", "b3", "b2");
    dj_gate_cells_finish(&cells);
}

Test(baseline, wanted_cells_exist_without_a_baseline)
{
    struct dj_error err = {0};
    const struct dj_wanted_cell wanted[] = {{"scroll", "phone"}, {"scroll", "tablet"}};
    struct dj_cells_options wish = {.has_baseline = true,
                                    .baseline = {.kind = DJ_BASELINE_NONE},
                                    .wanted = wanted,
                                    .wanted_count = 2};
    add("b3", "scroll", "1.0", NULL, NULL);
    cr_assert_eq(dj_gate_cells_choose(&catalogue, &wish, &cells, &err), 0);
    cr_expect_eq(cells.count, 2);
    expect_cell(0, "scroll", "b3", "");
    expect_cell(1, "scroll", "-", "");
    cr_expect_str_eq(cells.words, "nothing");
    dj_gate_cells_finish(&cells);
}
