/* Uses a folder that looks like tracefs. Instances of dead dejank processes must be
 * removed, and others must stay. */
#include "capture/linux/instance.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/directory.h"

static char folder[] = "/tmp/dejank-instances-XXXXXX";
static int root;

static void set_up(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert(root >= 0 && mkdirat(root, "instances", 0700) == 0);
}

static void tear_down(void)
{
    char path[128];
    static const char *const left[] = {"instances/other", "instances/dejank-x-1-0"};
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        unlinkat(root, left[i], AT_REMOVEDIR);
    }
    unlinkat(root, "instances", AT_REMOVEDIR);
    close(root);
    snprintf(path, sizeof(path), "%s", folder);
    cr_expect(rmdir(path) == 0, "nothing is left in %s", path);
}

TestSuite(instance, .init = set_up, .fini = tear_down);

static void create_instance(const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "instances/%s", name);
    cr_assert(mkdirat(root, path, 0700) == 0, "%s", path);
}

static bool exists(const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "instances/%s", name);
    return faccessat(root, path, F_OK, 0) == 0;
}

/* Appends the suffix of this process's pid namespace to the name "dejank-PID-START-N". */
static const char *get_own_name(const char *name)
{
    static char names[4][DJ_INSTANCE_NAME];
    static unsigned next;
    char ours[DJ_INSTANCE_NAME], *suffix = ours;
    dj_instance_name(ours, 0);
    for (int i = 0; i < 4 && suffix != NULL; i++) {
        suffix = strchr(suffix + 1, '-');
    }
    char *made = names[next++ % 4];
    snprintf(made, DJ_INSTANCE_NAME, "%.40s%.20s", name, suffix != NULL ? suffix : "");
    return made;
}

Test(instance, instances_of_dead_processes_are_removed)
{
    char own[DJ_INSTANCE_NAME], stuck[DJ_INSTANCE_NAME];
    /* The first process id exists, but with another start time. The second one does
     * not exist. */
    const char *reused = get_own_name("dejank-1-99999999999-0");
    const char *gone = get_own_name("dejank-999999999-77-3");
    dj_instance_name(own, 0);
    create_instance(own);
    create_instance(reused);
    create_instance(gone);
    create_instance("other");
    create_instance("dejank-x-1-0");
    cr_expect_eq(dj_instance_remove_dead(root, false, stuck), 2);
    cr_expect_eq(dj_instance_remove_dead(root, true, stuck), 2);
    cr_expect_str_eq(stuck, "");
    cr_expect(exists(own) && exists("other") && exists("dejank-x-1-0"));
    cr_expect(!exists(reused) && !exists(gone));
    cr_expect_eq(dj_instance_remove_dead(root, false, stuck), 0);
    unlinkat(root, own, AT_REMOVEDIR);
    char path[128];
    snprintf(path, sizeof(path), "instances/%s", own);
    unlinkat(root, path, AT_REMOVEDIR);
}

Test(instance, an_instance_in_use_is_reported)
{
    char stuck[DJ_INSTANCE_NAME], folders[2][128];
    const char *busy = get_own_name("dejank-999999999-77-3");
    snprintf(folders[0], sizeof(folders[0]), "%s/per_cpu", busy);
    create_instance(busy);
    create_instance(folders[0]); /* This folder cannot be removed. */
    cr_expect_eq(dj_instance_remove_dead(root, true, stuck), 0);
    cr_expect_str_eq(stuck, busy);
    snprintf(folders[0], sizeof(folders[0]), "instances/%s/per_cpu", busy);
    snprintf(folders[1], sizeof(folders[1]), "instances/%s", busy);
    unlinkat(root, folders[0], AT_REMOVEDIR);
    unlinkat(root, folders[1], AT_REMOVEDIR);
}

/* The namespace has no processes. Only the initial namespace can see that. */
Test(instance, the_initial_namespace_decides_about_other_namespaces)
{
    char own[DJ_INSTANCE_NAME];
    dj_instance_name(own, 0);
    size_t dashes = 0;
    for (const char *at = own; *at != '\0'; at++) {
        dashes += *at == '-';
    }
    cr_expect_eq(dj_instance_is_dead("dejank-999999999-77-3-7"), dashes == 3);
    cr_expect_not(dj_instance_is_dead(own));
    cr_expect_not(dj_instance_is_dead("dejank-999999999-77-3-7-1"));
    cr_expect_not(dj_instance_is_dead("dejank-999999999-77-3-"));
}

/* The folder contains no files of an instance. The error must name the missing file. */
Test(instance, an_incomplete_instance_is_removed)
{
    const struct dj_capture_plan plan = {.output = "x"};
    struct dj_capture_result result = {.source = NULL};
    struct dj_instance instance;
    struct dj_error err = {0};
    cr_assert(dj_instance_create(&instance, dup(root), &err) == 0, "%s", err.message);
    cr_expect(exists(instance.name));
    char name[DJ_INSTANCE_NAME];
    snprintf(name, sizeof(name), "%s", instance.name);
    cr_expect_eq(dj_instance_set_up(&instance, &plan, &result, &err), DJ_E_NOT_FOUND);
    cr_expect(strstr(err.message, "tracing_on") != NULL, "%s", err.message);
    cr_expect_eq(dj_instance_remove(&instance, &err), 0);
    cr_expect(!exists(name));
}

Test(instance, a_missing_folder_is_an_error)
{
    struct dj_instance instance;
    struct dj_error err = {0};
    unlinkat(root, "instances", AT_REMOVEDIR);
    cr_expect_eq(dj_instance_create(&instance, dup(root), &err), DJ_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "no instances") != NULL, "%s", err.message);
    cr_expect_eq(dj_instance_remove(&instance, &err), 0);
    cr_assert(mkdirat(root, "instances", 0700) == 0);
}

Test(instance, an_unknown_category_is_reported)
{
    const char *const words[] = {"sched", "gfx"};
    const struct dj_capture_plan plan = {.categories = words, .category_count = 2};
    struct dj_error err = {0};
    cr_expect_eq(dj_capture_check_categories(&plan, &err), DJ_E_USAGE);
    cr_expect(strstr(err.message, "'gfx'") != NULL && strstr(err.message, "idle") != NULL,
              "%s", err.message);
}

/* Thread switches are always enabled. */
Test(instance, only_requested_events_are_enabled)
{
    const char *const words[] = {"disk"};
    const struct dj_capture_plan plan = {.categories = words, .category_count = 1};
    size_t switches = 0, disks = 0, others = 0;
    for (const struct dj_kernel_event *event = dj_kernel_events_find_next(&plan, NULL);
         event != NULL; event = dj_kernel_events_find_next(&plan, event)) {
        switches += strcmp(event->name, "sched_switch") == 0;
        disks += strcmp(event->category, "disk") == 0;
        others +=
            strcmp(event->category, "disk") != 0 && strcmp(event->category, "sched") != 0;
    }
    cr_expect(switches == 1 && disks == 2 && others == 0);
}
