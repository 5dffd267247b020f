#include "device/flatpak.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/file.h"
#include "segment/environment.h"

/* Folders that `flatpak run --filesystem` refuses, because the sandbox has its own. */
static const char *const reserved[] = {"/usr/", "/lib",  "/bin/", "/sbin/",
                                       "/app/", "/etc/", "/dev/", "/proc/"};

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Returns the index of the word "run", or 0 if the command is another one. */
static size_t find_run(char *const *argv)
{
    size_t i = 1;
    while (argv[0] != NULL && argv[i] != NULL && argv[i][0] == '-') {
        i++;
    }
    return argv[0] != NULL && argv[i] != NULL && strcmp(argv[i], "run") == 0 ? i : 0;
}

bool dj_device_flatpak_is_run(const char *path, char *const *argv)
{
    size_t run = find_run(argv);
    bool has_own = false;
    for (size_t i = run; run > 0 && argv[i] != NULL; i++) {
        has_own = has_own || begins(argv[i], "--env=LD_PRELOAD=");
    }
    return strcmp(basename(path), "flatpak") == 0 && run > 0 && !has_own;
}

/* Returns whether the text is an application id: it has at least two dots. */
static bool is_app_id(const char *text, size_t length)
{
    size_t dots = 0;
    for (size_t i = 0; i < length; i++) {
        dots += text[i] == '.';
    }
    return dots >= 2 && text[0] != '-';
}

bool dj_device_flatpak_find_app(const char *path, char *const *argv, char *id,
                                size_t size)
{
    size_t i = strcmp(basename(path), "flatpak") == 0 ? find_run(argv) : 0;
    while (i > 0 && argv[i] != NULL) {
        const char *word = argv[++i];
        size_t length = word != NULL ? strcspn(word, "/") : 0; /* APP//BRANCH */
        if (is_app_id(word, length)) {
            snprintf(id, size, "%.*s", (int)length, word);
            return true;
        }
    }
    return false;
}

struct copy {
    const char *path;
};

static int copy_object(void *user, int fd)
{
    const struct copy *copy = user;
    int from = open(copy->path, O_RDONLY | O_CLOEXEC);
    ssize_t sent = from < 0 ? -1 : 1;
    while (sent > 0) {
        sent = sendfile(fd, from, NULL, 1 << 20);
    }
    if (from >= 0) {
        close(from);
    }
    return sent < 0 ? DJ_E_IO : 0;
}

/* Sets `visible` to the path of the object inside the sandbox. */
static int make_visible(const char *object, const char *directory, char *visible,
                        size_t size, struct dj_error *err)
{
    bool is_reserved = false;
    for (size_t i = 0; i < COUNT_OF(reserved); i++) {
        is_reserved = is_reserved || begins(object, reserved[i]);
    }
    if (!is_reserved) {
        snprintf(visible, size, "%s", object);
        return 0;
    }
    snprintf(visible, size, "%s/libdejank-hooks.so", directory);
    struct copy copy = {object};
    int code = dj_output_produce(visible, copy_object, &copy, err);
    if (code == 0 && chmod(visible, 0500) != 0) {
        code = dj_error_set(err, DJ_E_IO, "%s: %s", visible, strerror(errno));
    }
    return code;
}

static void write_options(struct dj_flatpak_command *command, const char *object,
                          const char *directory)
{
    const size_t size = sizeof(command->options[0]);
    char place[PATH_MAX];
    /* Flatpak has a word for $XDG_RUNTIME_DIR, because the sandbox has its own folder. */
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    bool is_runtime = runtime != NULL && runtime[0] == '/' &&
                      begins(directory, runtime) && directory[strlen(runtime)] == '/';
    snprintf(place, sizeof(place), "%s%s", is_runtime ? "xdg-run" : "",
             is_runtime ? directory + strlen(runtime) : directory);
    snprintf(command->options[0], size, "--filesystem=%s:ro", object);
    snprintf(command->options[1], size, "--filesystem=%s", place);
    snprintf(command->options[2], size, "--env=LD_PRELOAD=%s", object);
    snprintf(command->options[3], size, "--env=DEJANK_DIR=%s", directory);
    /* The sandbox has its own process ids, so the recorder cannot compare this one. */
    snprintf(command->options[4], size, "--env=" DJ_ENV_ROOT_PID "=");
}

int dj_device_flatpak_add_options(char *const *argv, const char *object,
                                  const char *directory,
                                  struct dj_flatpak_command *command,
                                  struct dj_error *err)
{
    char visible[PATH_MAX];
    size_t run = find_run(argv);
    size_t count = 0;
    while (argv[count] != NULL) {
        count++;
    }
    *command = (struct dj_flatpak_command){0};
    int code = make_visible(object, directory, visible, sizeof(visible), err);
    if (code != 0) {
        return code;
    }
    command->argv = calloc(count + DJ_FLATPAK_OPTIONS + 1, sizeof(*command->argv));
    if (command->argv == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    write_options(command, visible, directory);
    memcpy(command->argv, argv, (run + 1) * sizeof(*argv));
    for (size_t i = 0; i < DJ_FLATPAK_OPTIONS; i++) {
        command->argv[run + 1 + i] = command->options[i];
    }
    memcpy(command->argv + run + 1 + DJ_FLATPAK_OPTIONS, argv + run + 1,
           (count - run - 1) * sizeof(*argv));
    return 0;
}
