#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gate/range.h"

#define GB INT64_C(1000000000)

enum { MOST = 12 };

static struct dj_device_facts facts[MOST];
static struct dj_range_member members[MOST];
static size_t count;

static struct dj_device_facts *add(enum dj_compare_verdict verdict, int64_t ram_bytes)
{
    cr_assert_lt(count, MOST);
    dj_facts_init(&facts[count]);
    facts[count].ram_bytes = ram_bytes;
    members[count] = (struct dj_range_member){
        .name = "device", .verdict = verdict, .measured = true, .facts = &facts[count]};
    return &facts[count++];
}

static void expect_words(const char *expected)
{
    struct dj_range_summary summary;
    struct dj_text text = {0};
    dj_gate_range_summarise(members, count, &summary);
    dj_gate_range_format(&text, &summary);
    cr_expect_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
}

/* The example of the guide: 3 of 11 devices have little memory. */
Test(range, worse_devices_share_little_memory)
{
    for (int i = 0; i < 8; i++) {
        add(DJ_VERDICT_EQUIVALENT, (4 + i) * GB);
    }
    add(DJ_VERDICT_REGRESSION, 2 * GB);
    add(DJ_VERDICT_LIKELY_REGRESSION, 3 * GB);
    add(DJ_VERDICT_REGRESSION, 3 * GB);
    expect_words("worse on 3 of 11 devices, all with ≤ 3 GB of RAM; 8 equivalent");
    struct dj_range_summary summary;
    dj_gate_range_summarise(members, count, &summary);
    cr_expect_eq(summary.separates, DJ_RANGE_RAM);
    cr_expect(summary.at_most);
    /* There are 165 ways to choose 3 of 11 devices, and five facts with two ends each. */
    cr_expect_float_eq(summary.chance, 10.0 / 165, 1e-12);
}

Test(range, overlapping_memory_does_not_separate)
{
    add(DJ_VERDICT_REGRESSION, 2 * GB);
    add(DJ_VERDICT_REGRESSION, 8 * GB);
    add(DJ_VERDICT_EQUIVALENT, 4 * GB);
    expect_words("worse on 2 of 3 devices; 1 equivalent");
}

Test(range, all_or_no_devices_are_not_separated)
{
    add(DJ_VERDICT_IMPROVEMENT, 2 * GB);
    add(DJ_VERDICT_LIKELY_IMPROVEMENT, 4 * GB);
    expect_words("better on 2 of 2 devices");
}

Test(range, unknown_fact_of_a_worse_device_does_not_separate)
{
    add(DJ_VERDICT_REGRESSION, 2 * GB);
    add(DJ_VERDICT_REGRESSION, -1);
    add(DJ_VERDICT_EQUIVALENT, 4 * GB);
    expect_words("worse on 2 of 3 devices; 1 equivalent");
}

Test(range, other_facts_separate_devices)
{
    add(DJ_VERDICT_REGRESSION, 4 * GB)->api = 34;
    add(DJ_VERDICT_EQUIVALENT, 4 * GB)->api = 33;
    add(DJ_VERDICT_EQUIVALENT, 4 * GB)->api = 31;
    expect_words("worse on 1 of 3 devices, with ≥ API level 34; 2 equivalent");
    facts[0].api = facts[1].api = -1;
    snprintf(facts[0].gpu, sizeof(facts[0].gpu), "Mali-G57");
    snprintf(facts[1].gpu, sizeof(facts[1].gpu), "Adreno 640");
    expect_words("worse on 1 of 3 devices, with gpu Mali-G57; 2 equivalent");
    facts[0].gpu[0] = '\0';
    facts[0].density_dpi = 240;
    facts[1].density_dpi = 320;
    facts[2].density_dpi = 420;
    expect_words("worse on 1 of 3 devices, with ≤ 240 dpi; 2 equivalent");
    facts[0].density_dpi = 320;
    facts[0].rates_hz[0] = 60;
    facts[0].rates_hz[1] = 120;
    facts[0].rate_count = 2;
    facts[1].refresh_hz = facts[2].refresh_hz = 60;
    expect_words("worse on 1 of 3 devices, with ≥ 120 Hz; 2 equivalent");
}

/* The release of a Linux system is a text with any characters. */
Test(range, texts_are_escaped)
{
    snprintf(add(DJ_VERDICT_REGRESSION, -1)->release, 20, "a\x1b[31m");
    snprintf(add(DJ_VERDICT_EQUIVALENT, -1)->release, 20, "b");
    expect_words("worse on 1 of 2 devices, with release a\\x1b[31m; 1 equivalent");
}

Test(range, other_directions_and_missing_devices_are_counted)
{
    add(DJ_VERDICT_IMPROVEMENT, 8 * GB);
    add(DJ_VERDICT_REGRESSION, 2 * GB);
    add(DJ_VERDICT_INCONCLUSIVE, 4 * GB);
    add(DJ_VERDICT_REGRESSION, 1 * GB);
    /* The verdict of this device is undefined. */
    members[3].measured = false;
    expect_words("worse on 1 of 3 devices, with ≤ 2 GB of RAM; 1 better, 1 undecided, 1 "
                 "not measured");
}

Test(range, only_likely_verdicts_give_a_likely_summary)
{
    add(DJ_VERDICT_LIKELY_REGRESSION, 2 * GB);
    add(DJ_VERDICT_INCONCLUSIVE, 2 * GB);
    expect_words("likely worse on 1 of 2 devices; 1 undecided");
}

Test(range, summary_of_no_devices_says_so)
{
    expect_words("no device was measured");
    add(DJ_VERDICT_EQUIVALENT, GB);
    members[0].measured = false;
    expect_words("no device was measured; 1 not measured");
}

Test(range, order_does_not_matter)
{
    add(DJ_VERDICT_REGRESSION, 2 * GB);
    add(DJ_VERDICT_EQUIVALENT, 4 * GB);
    add(DJ_VERDICT_EQUIVALENT, 6 * GB);
    expect_words("worse on 1 of 3 devices, with ≤ 2 GB of RAM; 2 equivalent");
    struct dj_range_member first = members[0];
    members[0] = members[2];
    members[2] = first;
    expect_words("worse on 1 of 3 devices, with ≤ 2 GB of RAM; 2 equivalent");
}
