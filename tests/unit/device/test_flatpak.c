#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/flatpak.h"
#include "device/program.h"

static char dejank_folder[] = "/tmp/dejank-flatpak-XXXXXX";

static void remove_copy(void)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/libdejank-hooks.so", dejank_folder);
    unlink(path);
    rmdir(dejank_folder);
}

Test(flatpak, an_object_that_flatpak_does_not_pass_on_is_copied, .fini = remove_copy)
{
    static struct dj_flatpak_command command;
    char *argv[] = {"flatpak", "run", "org.example.App", NULL};
    char path[128], expected[256];
    struct dj_error err = {0};
    struct stat copy, object;
    cr_assert_not_null(mkdtemp(dejank_folder));
    int code = dj_device_flatpak_add_options(argv, "/usr/bin/env", dejank_folder,
                                             &command, &err);
    cr_assert_eq(code, 0, "%s", err.message);
    snprintf(path, sizeof(path), "%s/libdejank-hooks.so", dejank_folder);
    cr_assert_eq(stat(path, &copy), 0);
    cr_assert_eq(stat("/usr/bin/env", &object), 0);
    cr_expect_eq(copy.st_size, object.st_size);
    snprintf(expected, sizeof(expected), "--env=LD_PRELOAD=%s", path);
    cr_expect_str_eq(command.argv[4], expected);
    cr_expect_str_eq(command.argv[7], "org.example.App");
    cr_expect_null(command.argv[8]);
    free(command.argv);
}

Test(flatpak, a_copy_that_cannot_be_written_is_an_error)
{
    static struct dj_flatpak_command command;
    char *argv[] = {"flatpak", "run", "org.example.App", NULL};
    struct dj_error err = {0};
    cr_expect_neq(dj_device_flatpak_add_options(argv, "/usr/bin/env", "/proc/nowhere",
                                                &command, &err),
                  0);
    cr_expect(strlen(err.message) > 0);
}

Test(flatpak, only_the_command_run_gets_options)
{
    char *run[] = {"flatpak", "--user", "-v", "run", "org.example.App", NULL};
    char *list[] = {"flatpak", "list", "run", NULL};
    char *own[] = {"flatpak", "run", "--env=LD_PRELOAD=/own.so", "org.example.App", NULL};
    char *bare[] = {"flatpak", NULL};
    cr_expect(dj_device_flatpak_is_run("/usr/bin/flatpak", run));
    cr_expect_not(dj_device_flatpak_is_run("/usr/bin/podman", run));
    cr_expect_not(dj_device_flatpak_is_run("/usr/bin/flatpak", list));
    cr_expect_not(dj_device_flatpak_is_run("/usr/bin/flatpak", own));
    cr_expect_not(dj_device_flatpak_is_run("/usr/bin/flatpak", bare));
}

static void expect_app(const char *path, char *const *argv, const char *expected)
{
    char id[64] = "";
    cr_expect_eq(dj_device_flatpak_find_app(path, argv, id, sizeof(id)),
                 expected[0] != '\0');
    cr_expect_str_eq(id, expected);
}

Test(flatpak, the_application_of_a_command_is_found)
{
    char *run[] = {"flatpak", "--user",          "run", "--command", "game.sh",
                   "-v",      "org.example.App", "a.b", NULL};
    char *branch[] = {"flatpak", "run", "org.example.App//stable", NULL};
    char *list[] = {"flatpak", "info", "org.example.App", NULL};
    char *nothing[] = {"flatpak", "run", "--user", NULL};
    expect_app("/usr/bin/flatpak", run, "org.example.App");
    expect_app("/usr/bin/flatpak", branch, "org.example.App");
    expect_app("/usr/bin/podman", run, "");
    expect_app("/usr/bin/flatpak", list, "");
    expect_app("/usr/bin/flatpak", nothing, "");
}

Test(flatpak, an_application_id_is_the_default_name)
{
    char *run[] = {"flatpak", "run", "org.example.App", NULL};
    char *other[] = {"/opt/games/no-such-game", NULL};
    char name[64];
    dj_device_program_default_name("/usr/bin/flatpak", run, name, sizeof(name));
    cr_expect_str_eq(name, "org.example.App");
    dj_device_program_default_name(other[0], other, name, sizeof(name));
    cr_expect_str_eq(name, "no-such-game");
}
