#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/settings.h"
#include "segment/environment.h"

Test(settings, defaults_without_an_environment)
{
    struct dj_settings settings;
    dj_settings_load(&settings);
    cr_assert_str_eq(settings.name, "");
    cr_assert_str_eq(settings.program, "unit-recorder");
    cr_assert_str_eq(settings.dialect->name, "11");
    cr_assert_eq(settings.interval_ns, DJ_ASSUMED_INTERVAL_NS);
    cr_assert(settings.interval_assumed);
    cr_assert_eq(settings.keep, DJ_SEGMENT_KEEP);
    cr_assert_not(settings.profile);
    cr_assert_eq(settings.run_ns, 0);
}

Test(settings, the_environment_overrides)
{
    struct dj_settings settings;
    setenv(DJ_ENV_NAME, "com.example; \"x\" ü", 1);
    setenv(DJ_ENV_INTERVAL_NS, "8333333", 1);
    setenv(DJ_ENV_KEEP, "120", 1);
    setenv(DJ_ENV_PROFILE, "1", 1);
    setenv(DJ_ENV_RUN_NS, "123456789012", 1);
    dj_settings_load(&settings);
    cr_assert_str_eq(settings.name, "com.example; \"x\" ü");
    cr_assert_eq(settings.interval_ns, 8333333);
    cr_assert_not(settings.interval_assumed);
    cr_assert_eq(settings.keep, 120);
    cr_assert(settings.profile);
    cr_assert_eq(settings.run_ns, 123456789012);
}

Test(settings, values_out_of_range_become_defaults)
{
    static const struct {
        const char *interval, *keep;
    } rows[] = {{"0", "119"},
                {"-5", "65537"},
                {"16ms", "many"},
                {"", ""},
                {"99999999999999999999", "1e3"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_settings settings;
        setenv(DJ_ENV_INTERVAL_NS, rows[i].interval, 1);
        setenv(DJ_ENV_KEEP, rows[i].keep, 1);
        dj_settings_load(&settings);
        cr_assert_eq(settings.interval_ns, DJ_ASSUMED_INTERVAL_NS, "row %zu", i);
        cr_assert(settings.interval_assumed, "row %zu", i);
        cr_assert_eq(settings.keep, DJ_SEGMENT_KEEP, "row %zu", i);
    }
}

Test(settings, an_unknown_release_has_no_dialect)
{
    struct dj_settings settings;
    setenv(DJ_ENV_RELEASE, "4.4", 1);
    dj_settings_load(&settings);
    cr_assert_null(settings.dialect);
}

Test(settings, long_names_are_truncated)
{
    struct dj_settings settings;
    char name[1000];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    setenv(DJ_ENV_NAME, name, 1);
    dj_settings_load(&settings);
    cr_assert_eq(strlen(settings.name), DJ_SEGMENT_NAME - 1);
}

Test(settings, a_child_process_appends_its_program_to_the_name)
{
    struct dj_settings settings = {.name = "app", .program = "worker"};
    char name[DJ_SEGMENT_NAME];
    settings.root_pid = getpid();
    dj_settings_format_process_name(&settings, name, sizeof(name));
    cr_assert_str_eq(name, "app");
    settings.root_pid = getpid() + 1;
    dj_settings_format_process_name(&settings, name, sizeof(name));
    cr_assert_str_eq(name, "app:worker");
    settings.name[0] = '\0';
    dj_settings_format_process_name(&settings, name, sizeof(name));
    cr_assert_str_eq(name, "worker");
}
