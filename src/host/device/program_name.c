#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/flatpak.h"
#include "device/program.h"

/* Returns whether `rest`, the end of an Exec line, contains only field codes (%U, %f,
 * …). */
static bool only_field_codes(const char *rest)
{
    for (;; rest += 2) {
        rest += strspn(rest, " \t\r\n");
        if (rest[0] != '%' || rest[1] == '\0') {
            return rest[0] == '\0';
        }
    }
}

/* Returns whether the line, such as "Exec=/usr/games/etr %U", starts the program. */
static bool line_starts_program(const char *line, const char *program)
{
    if (strncmp(line, "Exec=", 5) != 0) {
        return false;
    }
    const char *command = line + 5;
    size_t length = strcspn(command, " \t\r\n");
    const char *slash = memrchr(command, '/', length);
    const char *base = slash != NULL ? slash + 1 : command;
    size_t base_length = (size_t)(command + length - base);
    return strlen(program) == base_length && memcmp(base, program, base_length) == 0 &&
           only_field_codes(command + length);
}

static bool file_starts_program(const char *path, const char *program)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    char line[2048];
    bool in_main_group = false, starts = false;
    while (!starts && fgets(line, sizeof(line), file) != NULL) {
        if (line[0] == '[') {
            in_main_group = strncmp(line, "[Desktop Entry]", 15) == 0;
        }
        starts = in_main_group && line_starts_program(line, program);
    }
    fclose(file);
    return starts;
}

/* Finds a desktop file that starts the program and writes its id. If several files start
 * it, the smallest id is used, so that the result does not depend on the order in which
 * the directory lists its files. */
static bool search_folder(const char *folder, const char *program, char *name,
                          size_t size)
{
    static const char suffix[] = ".desktop";
    DIR *directory = opendir(folder);
    bool found = false;
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char path[PATH_MAX];
        size_t length = strlen(entry->d_name);
        if (length < sizeof(suffix) ||
            strcmp(entry->d_name + length + 1 - sizeof(suffix), suffix) != 0) {
            continue;
        }
        int id_length = (int)(length + 1 - sizeof(suffix));
        int written = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        bool smaller = !found || strncmp(entry->d_name, name, (size_t)id_length) < 0;
        if (written < (int)sizeof(path) && smaller &&
            file_starts_program(path, program)) {
            snprintf(name, size, "%.*s", id_length, entry->d_name);
            found = true;
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return found;
}

static bool search_data_folders(const char *list, const char *program, char *name,
                                size_t size)
{
    bool found = false;
    while (!found && *list != '\0') {
        char folder[PATH_MAX];
        size_t length = strcspn(list, ":");
        int written =
            snprintf(folder, sizeof(folder), "%.*s/applications", (int)length, list);
        if (length > 0 && written < (int)sizeof(folder)) {
            found = search_folder(folder, program, name, size);
        }
        list += length + (list[length] == ':');
    }
    return found;
}

/* Writes the name of a program that is not in a container. */
static void write_program_name(const char *path, char *name, size_t size)
{
    const char *program = basename(path);
    const char *folders = getenv("XDG_DATA_DIRS");
    const char *home = getenv("XDG_DATA_HOME");
    if (folders == NULL || *folders == '\0') {
        folders = "/usr/local/share:/usr/share";
    }
    if (!(home != NULL && search_data_folders(home, program, name, size)) &&
        !search_data_folders(folders, program, name, size)) {
        snprintf(name, size, "%s", program);
    }
}

void dj_device_program_default_name(const char *path, char *const *argv, char *name,
                                    size_t size)
{
    if (argv == NULL || !dj_device_flatpak_find_app(path, argv, name, size)) {
        write_program_name(path, name, size);
    }
}
