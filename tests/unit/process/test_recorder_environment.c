#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/memory.h"
#include "process/recorder_environment.h"

/* Criterion runs each test in a process of its own, so the variables of one test do not
 * reach another. */

static void expect_variable(const char *name, const char *value)
{
    const char *found = getenv(name);
    if (value == NULL) {
        cr_expect_null(found, "%s is '%s'", name, found);
    } else {
        cr_expect_str_eq(found != NULL ? found : "(not set)", value, "%s", name);
    }
}

Test(recorder_environment, every_setting_has_its_variable)
{
    const struct dj_recorder_settings settings = {.name = "shop",
                                                  .release = "13",
                                                  .app_version = "7",
                                                  .sections = "off",
                                                  .trace_marker = "/marker",
                                                  .refresh_hz = 50,
                                                  .keep = 240,
                                                  .run_ns = 1234567890123,
                                                  .retention = DJ_RETAIN_NAMED,
                                                  .profile = true};
    char pid[16], retention[16];
    snprintf(pid, sizeof(pid), "%d", (int)getpid());
    snprintf(retention, sizeof(retention), "%d", DJ_RETAIN_NAMED);
    dj_process_set_recorder_environment(&settings);
    expect_variable("DEJANK_NAME", "shop");
    expect_variable("DEJANK_RELEASE", "13");
    expect_variable("DEJANK_APP_VERSION", "7");
    expect_variable("DEJANK_SECTIONS", "off");
    expect_variable("DEJANK_TRACE_MARKER", "/marker");
    expect_variable("DEJANK_INTERVAL_NS", "20000000");
    expect_variable("DEJANK_KEEP", "240");
    expect_variable("DEJANK_RUN_NS", "1234567890123");
    expect_variable("DEJANK_ROOT_PID", pid);
    expect_variable("DEJANK_RETENTION", retention);
    expect_variable("DEJANK_PROFILE", "1");
}

Test(recorder_environment, settings_of_an_outer_recorder_do_not_apply)
{
    static const char *const outer[] = {"DEJANK_RELEASE", "DEJANK_APP_VERSION",
                                        "DEJANK_SECTIONS", "DEJANK_TRACE_MARKER",
                                        "DEJANK_INTERVAL_NS"};
    for (size_t i = 0; i < COUNT_OF(outer); i++) {
        setenv(outer[i], "1", 1);
    }
    dj_process_set_recorder_environment(&(struct dj_recorder_settings){.name = "a"});
    for (size_t i = 0; i < COUNT_OF(outer); i++) {
        expect_variable(outer[i], NULL);
    }
}

Test(recorder_environment, a_marker_without_a_path_is_that_of_tracefs)
{
    dj_process_set_recorder_environment(
        &(struct dj_recorder_settings){.name = "a", .trace_marker = ""});
    expect_variable("DEJANK_TRACE_MARKER", "1");
}

Test(recorder_environment, our_object_is_the_first_that_is_preloaded)
{
    setenv("LD_PRELOAD", "/other.so", 1);
    setenv("ASAN_OPTIONS", "halt_on_error=0", 1);
    dj_process_set_recorder_environment(
        &(struct dj_recorder_settings){.name = "a", .object = "/none/hooks.so"});
    expect_variable("LD_PRELOAD", "/none/hooks.so:/other.so");
    expect_variable("ASAN_OPTIONS", "halt_on_error=0:verify_asan_link_order=0");
    expect_variable("VK_INSTANCE_LAYERS", NULL);
}

Test(recorder_environment, without_an_object_nothing_is_preloaded)
{
    unsetenv("LD_PRELOAD");
    dj_process_set_recorder_environment(&(struct dj_recorder_settings){.name = "a"});
    expect_variable("LD_PRELOAD", NULL);
}

static char *write_manifest(void)
{
    char *folder = dj_xstrdup("/tmp/dejank-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    char *vulkan = dj_xformat("%s/vulkan", folder);
    char *manifest = dj_xformat("%s/dejank_layer.json", vulkan);
    cr_assert_eq(mkdir(vulkan, 0700), 0);
    FILE *file = fopen(manifest, "w");
    cr_assert_not_null(file);
    fclose(file);
    free(manifest);
    free(vulkan);
    return folder;
}

static void remove_manifest(char *folder)
{
    static const char *const names[] = {"/vulkan/dejank_layer.json", "/vulkan", ""};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *path = dj_xformat("%s%s", folder, names[i]);
        remove(path);
        free(path);
    }
    free(folder);
}

Test(recorder_environment, the_vulkan_layer_next_to_the_object_is_added)
{
    char *folder = write_manifest();
    char *object = dj_xformat("%s/hooks.so", folder);
    char *layers = dj_xformat("%s/vulkan", folder);
    char *both = dj_xformat("%s:/layers", layers);
    unsetenv("VK_LAYER_PATH");
    unsetenv("VK_ADD_LAYER_PATH");
    dj_process_set_recorder_environment(
        &(struct dj_recorder_settings){.name = "a", .object = object});
    expect_variable("VK_ADD_LAYER_PATH", layers);
    expect_variable("VK_INSTANCE_LAYERS", "VK_LAYER_DEJANK_record");
    setenv("VK_LAYER_PATH", "/layers", 1);
    dj_process_set_recorder_environment(
        &(struct dj_recorder_settings){.name = "a", .object = object});
    expect_variable("VK_LAYER_PATH", both);
    remove_manifest(folder);
    free(both);
    free(layers);
    free(object);
}
