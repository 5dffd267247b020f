#include "output/user_folder.h"

#include <criterion/criterion.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct dj_text path;

static const char *found(const char *variable, const char *home)
{
    struct dj_error err = {0};
    (variable != NULL ? setenv("XDG_DATA_HOME", variable, 1) : unsetenv("XDG_DATA_HOME"));
    (home != NULL ? setenv("HOME", home, 1) : unsetenv("HOME"));
    dj_text_clear(&path);
    cr_assert_eq(
        dj_output_user_folder_append("XDG_DATA_HOME", ".local/share", &path, &err), 0,
        "%s", err.message);
    return dj_text_get(&path);
}

Test(user_folder, the_variable_precedes_home_and_the_password_database)
{
    cr_expect_str_eq(found("/data", "/home/ana"), "/data");
    cr_expect_str_eq(found(NULL, "/home/ana"), "/home/ana/.local/share");
    cr_expect_str_eq(found("", "/home/ana"), "/home/ana/.local/share");
    cr_expect_str_eq(found("relative", "/home/ana"), "/home/ana/.local/share");
    const struct passwd *user = getpwuid(getuid());
    if (user == NULL || user->pw_dir[0] != '/') {
        cr_skip("this user has no home folder in the password database");
    }
    char expected[4200];
    snprintf(expected, sizeof(expected), "%s/.local/share", user->pw_dir);
    cr_expect_str_eq(found(NULL, NULL), expected);
    cr_expect_str_eq(found(NULL, ""), expected);
    cr_expect_str_eq(found(NULL, "."), expected);
    dj_text_finish(&path);
}
