#include "facts/device_class.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static struct dj_device_facts phone(double ram_gb, int width_px, int density)
{
    struct dj_device_facts facts;
    dj_facts_init(&facts);
    facts.ram_bytes = (int64_t)(ram_gb * 1e9);
    facts.width_px = width_px;
    facts.height_px = width_px * 2;
    facts.density_dpi = density;
    facts.emulator = DJ_KNOWN_NO;
    snprintf(facts.model, sizeof(facts.model), "Pixel 4a");
    return facts;
}

Test(device_class, classes_with_a_known_name)
{
    struct dj_device_facts small = phone(2, 720, 320);
    struct dj_device_facts large = phone(8, 1600, 320);
    struct dj_device_facts unknown;
    static const struct {
        const char *name;
        bool small, large, unknown;
    } cases[] = {
        {"low-end", true, false, false}, {"high-end", false, true, false},
        {"tablet", false, true, false},  {"phone", true, false, false},
        {"any", true, true, true},       {"high-refresh", false, true, false},
    };
    const char *names[DJ_CLASSES_KNOWN];
    dj_facts_init(&unknown);
    small.refresh_hz = 60;
    large.refresh_hz = 60;
    large.rates_hz[0] = 120;
    large.rate_count = 1;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct dj_device_class *class = dj_facts_class_find(cases[i].name);
        cr_assert_not_null(class, "%s", cases[i].name);
        cr_expect_eq(dj_facts_class_matches(class, &small), cases[i].small, "%zu", i);
        cr_expect_eq(dj_facts_class_matches(class, &large), cases[i].large, "%zu", i);
        cr_expect_eq(dj_facts_class_matches(class, &unknown), cases[i].unknown, "%zu", i);
    }
    cr_expect_null(dj_facts_class_find("cheap"));
    cr_expect_eq(dj_facts_class_names(names), DJ_CLASSES_KNOWN);
    cr_expect_str_eq(names[0], "low-end");
}

Test(device_class, facts_as_numbers)
{
    struct dj_device_facts facts = phone(4, 1080, 432);
    cr_expect_eq(dj_facts_class_value(&facts, DJ_FACT_RAM), 4e9);
    cr_expect_eq(dj_facts_class_value(&facts, DJ_FACT_WIDTH), 400);
    cr_expect_eq(dj_facts_class_value(&facts, DJ_FACT_EMULATOR), 0);
    cr_expect_eq(dj_facts_class_value(&facts, DJ_FACT_DENSITY), 432);
    cr_expect(isnan(dj_facts_class_value(&facts, DJ_FACT_API)));
    cr_expect(isnan(dj_facts_class_value(&facts, DJ_FACT_CORES)));
    cr_expect(isnan(dj_facts_class_value(&facts, DJ_FACT_CPU_HZ)));
    cr_expect(isnan(dj_facts_class_value(&facts, DJ_FACT_REFRESH)));
    cr_expect(isnan(dj_facts_class_value(&facts, DJ_FACT_COUNT)));
    facts.density_dpi = -1;
    cr_expect(isnan(dj_facts_class_value(&facts, DJ_FACT_WIDTH)));
}

static void expect_need(const char *text, enum dj_class_fact fact, double least,
                        double most, bool above, bool below)
{
    struct dj_class_need need;
    cr_assert(dj_facts_class_parse_need(text, fact, &need), "%s", text);
    cr_expect_eq(need.fact, fact);
    cr_expect_eq(need.least, least, "%s: %g", text, need.least);
    cr_expect_eq(need.most, most, "%s: %g", text, need.most);
    cr_expect_eq(need.above, above, "%s", text);
    cr_expect_eq(need.below, below, "%s", text);
}

Test(device_class, bounds)
{
    expect_need("< 3 GB", DJ_FACT_RAM, -INFINITY, 3e9, false, true);
    expect_need(">512MB", DJ_FACT_RAM, 512e6, INFINITY, true, false);
    expect_need("<= 2 GiB", DJ_FACT_RAM, -INFINITY, 2147483648.0, false, false);
    expect_need("≥ 30", DJ_FACT_API, 30, INFINITY, false, false);
    expect_need("≤ 30", DJ_FACT_API, -INFINITY, 30, false, false);
    expect_need("2..8 gb", DJ_FACT_RAM, 2e9, 8e9, false, false);
    expect_need("8", DJ_FACT_CORES, 8, 8, false, false);
    expect_need("1.8 GHz", DJ_FACT_CPU_HZ, 1.8e9, 1.8e9, false, false);
    expect_need("> 60", DJ_FACT_REFRESH, 60, INFINITY, true, false);
    expect_need("yes", DJ_FACT_EMULATOR, 1, 1, false, false);
    expect_need("False", DJ_FACT_EMULATOR, 0, 0, false, false);
}

Test(device_class, invalid_bounds)
{
    static const struct {
        const char *text;
        enum dj_class_fact fact;
    } cases[] = {
        {"", DJ_FACT_RAM},        {"little", DJ_FACT_RAM}, {"< 3 kg", DJ_FACT_RAM},
        {"< 3", DJ_FACT_RAM},     {"3 GB x", DJ_FACT_RAM}, {"8..2 GB", DJ_FACT_RAM},
        {"..2 GB", DJ_FACT_RAM},  {"-1", DJ_FACT_CORES},   {"maybe", DJ_FACT_EMULATOR},
        {"1", DJ_FACT_EMULATOR},  {"< ", DJ_FACT_API},     {"2..", DJ_FACT_API},
        {"2 GHz", DJ_FACT_WIDTH},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_class_need need;
        cr_expect_not(dj_facts_class_parse_need(cases[i].text, cases[i].fact, &need),
                      "%s", cases[i].text);
    }
}

static void expect_words(const struct dj_device_class *class, const char *expected)
{
    struct dj_text words = {0};
    dj_facts_class_format(&words, class);
    cr_expect_str_eq(dj_text_get(&words), expected);
    dj_text_finish(&words);
}

Test(device_class, classes_as_text)
{
    struct dj_device_class class = {.name = "mine", .need_count = 4, .model = "pixel"};
    cr_assert(dj_facts_class_parse_need("2..8 GB", DJ_FACT_RAM, &class.needs[0]));
    cr_assert(dj_facts_class_parse_need("> 60 Hz", DJ_FACT_REFRESH, &class.needs[1]));
    cr_assert(dj_facts_class_parse_need("no", DJ_FACT_EMULATOR, &class.needs[2]));
    cr_assert(dj_facts_class_parse_need("8", DJ_FACT_CORES, &class.needs[3]));
    expect_words(&class, "ram ≥ 2 GB ≤ 8 GB, refresh > 60 Hz, emulator no, cores 8, "
                         "model pixel");
    expect_words(dj_facts_class_find("phone"), "width < 600 dp");
    expect_words(dj_facts_class_find("any"), "");
    cr_expect_str_eq(dj_facts_class_unit(DJ_FACT_RAM), "GB");
    cr_expect_str_eq(dj_facts_class_unit(DJ_FACT_CORES), "");
    cr_expect_str_eq(dj_facts_class_keys[DJ_FACT_COUNT], "model");
}

Test(device_class, model_matching_ignores_case)
{
    struct dj_device_facts facts = phone(4, 1080, 432);
    struct dj_device_class class = {.name = "mine", .model = "pIXEL"};
    cr_expect(dj_facts_class_matches(&class, &facts));
    class.model = "Galaxy";
    cr_expect_not(dj_facts_class_matches(&class, &facts));
}
