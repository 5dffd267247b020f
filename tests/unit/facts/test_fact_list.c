#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "facts/device.h"

static struct dj_device_facts facts;
static struct dj_fact_list list;

static void set_up(void)
{
    dj_facts_init(&facts);
}

TestSuite(device_list, .init = set_up);

static void set(const char *name, const char *value, const char *unit)
{
    dj_facts_set(&facts, &(struct dj_fact){name, value, unit});
}

static const struct dj_fact *find(const char *name)
{
    for (size_t i = 0; i < list.count; i++) {
        if (strcmp(list.fact[i].name, name) == 0) {
            return &list.fact[i];
        }
    }
    return NULL;
}

static void expect_entry(const char *name, const char *value, const char *unit)
{
    const struct dj_fact *fact = find(name);
    cr_assert_not_null(fact, "%s", name);
    cr_expect_str_eq(fact->value, value);
    cr_expect(unit == NULL ? fact->unit == NULL : strcmp(fact->unit, unit) == 0, "%s",
              name);
}

static void fill(void)
{
    snprintf(facts.platform, sizeof(facts.platform), "android");
    snprintf(facts.build, sizeof(facts.build), "google/oriole:14");
    snprintf(facts.kernel, sizeof(facts.kernel), "5.10.157");
    snprintf(facts.dumpsys, sizeof(facts.dumpsys), "dejank 0.1.0");
    snprintf(facts.cpu, sizeof(facts.cpu), "Tensor");
    snprintf(facts.gpu, sizeof(facts.gpu), "Mali-G78");
    facts.api = 34;
    facts.ram_bytes = INT64_C(8127) << 20;
    facts.cores = 8;
    facts.cpu_max_hz = 2802000000;
    facts.density_dpi = 420;
    facts.width_px = 1080;
    facts.height_px = 2400;
    facts.rates_hz[0] = 60;
    facts.rates_hz[1] = 90.5;
    facts.rate_count = 2;
    facts.emulator = DJ_KNOWN_YES;
}

Test(device_list, unknown_facts_have_no_entry)
{
    dj_facts_list(&facts, &list);
    cr_expect_eq(list.count, 0);
    facts.emulator = DJ_KNOWN_NO;
    facts.ram_bytes = 1000; /* Less than one MiB. */
    dj_facts_list(&facts, &list);
    cr_expect_eq(list.count, 0);
}

Test(device_list, entries_have_values_and_units)
{
    fill();
    dj_facts_list(&facts, &list);
    cr_expect_eq(list.count, 15);
    cr_expect_str_eq(list.fact[0].name, "platform");
    expect_entry("platform", "android", NULL);
    expect_entry("api", "34", NULL);
    expect_entry("build", "google/oriole:14", NULL);
    expect_entry("kernel", "5.10.157", NULL);
    expect_entry("dumpsys", "dejank 0.1.0", NULL);
    expect_entry("ram", "8127", "MiB");
    expect_entry("cpu", "Tensor", NULL);
    expect_entry("cores", "8", NULL);
    expect_entry("cpu-max", "2802000000", "Hz");
    expect_entry("gpu", "Mali-G78", NULL);
    expect_entry("density", "420", "dpi");
    expect_entry("width", "1080", "px");
    expect_entry("height", "2400", "px");
    expect_entry("refresh-rates", "60,90.5", "Hz");
    expect_entry("emulator", "yes", NULL);
}

/* The order of the elements does not matter. */
Test(device_list, a_list_gives_the_facts_back)
{
    fill();
    const struct dj_device_facts filled = facts;
    dj_facts_list(&filled, &list);
    dj_facts_init(&facts);
    for (size_t i = list.count; i-- > 0;) {
        dj_facts_set(&facts, &list.fact[i]);
    }
    dj_facts_set_system(&facts, NULL, NULL);
    cr_expect_str_eq(facts.platform, filled.platform);
    cr_expect_str_eq(facts.build, filled.build);
    cr_expect_str_eq(facts.cpu, filled.cpu);
    cr_expect_str_eq(facts.gpu, filled.gpu);
    cr_expect_eq(facts.api, 34);
    cr_expect_eq(facts.ram_bytes, filled.ram_bytes);
    cr_expect_eq(facts.cores, 8);
    cr_expect_eq(facts.cpu_max_hz, 2802000000);
    cr_expect_eq(facts.density_dpi, 420);
    cr_expect_eq(facts.width_px, 1080);
    cr_expect_eq(facts.height_px, 2400);
    cr_expect_eq(facts.rate_count, 2);
    cr_expect_eq(facts.rates_hz[1], 90.5);
    cr_expect_eq(facts.emulator, DJ_KNOWN_YES);
    cr_expect(isnan(facts.refresh_hz), "conditions are not listed");
}

Test(device_list, many_rates_are_truncated)
{
    for (size_t i = 0; i < DJ_FACTS_RATES; i++) {
        facts.rates_hz[i] = 100.125 + (double)i;
    }
    facts.rate_count = DJ_FACTS_RATES;
    dj_facts_list(&facts, &list);
    const struct dj_fact *rates = find("refresh-rates");
    cr_assert_not_null(rates);
    cr_expect_eq(strlen(rates->value), sizeof(list.numbers[0]) - 1);
    cr_expect_eq(strncmp(rates->value, "100.125,101.125,", 16), 0);
}

Test(device_list, memory_has_its_unit)
{
    static const struct {
        const char *value, *unit;
        int64_t bytes;
    } cases[] = {
        {"8", "GiB", INT64_C(8) << 30},
        {"3", "GB", 3000000000},
        {"512", "MB", 512000000},
        {"7", "kB", 7000},
        {"9", "B", 9},
        {"9", "bytes", 9},
        {"1024", NULL, 1 << 20},
        {"1024", "", 1 << 20},
        {"2", "KiB", 2048},
        {"1", "parsec", -1},
        {"-1", "GB", -1},
        {"much", "GB", -1},
        {"1e30", "GB", -1},
        {"", "GB", -1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dj_facts_init(&facts);
        set("ram", cases[i].value, cases[i].unit);
        cr_expect_eq(facts.ram_bytes, cases[i].bytes, "case %zu", i);
    }
}

Test(device_list, invalid_entries_change_nothing)
{
    set("api", "fourteen", NULL);
    set("cores", "-4", NULL);
    set("width", "1e12", NULL);
    set("cpu-max", "inf", "Hz");
    set("refresh-rates", "fast", "Hz");
    set("colour", "red", NULL);
    set(NULL, "red", NULL);
    set("gpu", NULL, NULL);
    cr_expect_eq(facts.api, -1);
    cr_expect_eq(facts.cores, -1);
    cr_expect_eq(facts.width_px, -1);
    cr_expect_eq(facts.cpu_max_hz, -1);
    cr_expect_eq(facts.rate_count, 0);
    cr_expect_str_eq(facts.gpu, "");
}

Test(device_list, rates_end_where_they_cannot_be_read)
{
    set("refresh-rates", "60,90,x,120", "Hz");
    cr_expect_eq(facts.rate_count, 2);
    set("refresh-rates", "48", "Hz");
    cr_expect_eq(facts.rate_count, 1);
    cr_expect_eq(facts.rates_hz[0], 48);
    set("refresh-rates", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18", "Hz");
    cr_expect_eq(facts.rate_count, DJ_FACTS_RATES);
}

Test(device_list, long_texts_are_truncated)
{
    char name[400];
    memset(name, 'g', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    set("gpu", name, NULL);
    cr_expect_eq(strlen(facts.gpu), sizeof(facts.gpu) - 1);
}

Test(device_list, a_device_with_an_api_level_is_not_an_emulator)
{
    dj_facts_set_system(&facts, "Pixel 6", "14");
    cr_expect_str_eq(facts.model, "Pixel 6");
    cr_expect_str_eq(facts.release, "14");
    cr_expect_eq(facts.emulator, DJ_KNOWN_UNKNOWN);
    set("api", "34", NULL);
    dj_facts_set_system(&facts, NULL, NULL);
    cr_expect_eq(facts.emulator, DJ_KNOWN_NO);
    cr_expect_str_eq(facts.model, "");
    set("emulator", "yes", NULL);
    dj_facts_set_system(&facts, "sdk", NULL);
    cr_expect_eq(facts.emulator, DJ_KNOWN_YES);
}
