#include "stacks/debug_files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"
#include "stacks/elf/file.h"

/* An ELF file in one of the folders. */
struct found_file {
    char *path; /* Path of the file. Owned by this struct. */
    struct dj_stacks_build_id id;
    bool has_symbols;
};

struct dj_stacks_debug_files {
    char **folders; /* Folders to search. The struct owns the array and the strings. */
    size_t folder_count;
    /* Number of folders, from the first one on, that were searched completely. */
    size_t searched;
    struct found_file *found;
    size_t found_count;
    struct dj_stacks_unreadable
        *unreadable; /* The struct owns the array and its paths. */
    size_t unreadable_count;
};

struct dj_stacks_debug_files *dj_stacks_debug_files_create(void)
{
    return dj_xcalloc(1, sizeof(struct dj_stacks_debug_files));
}

void dj_stacks_debug_files_destroy(struct dj_stacks_debug_files *files)
{
    if (files == NULL) {
        return;
    }
    for (size_t i = 0; i < files->folder_count; i++) {
        free(files->folders[i]);
    }
    for (size_t i = 0; i < files->found_count; i++) {
        free(files->found[i].path);
    }
    for (size_t i = 0; i < files->unreadable_count; i++) {
        free(files->unreadable[i].path);
    }
    free(files->folders);
    free(files->found);
    free(files->unreadable);
    free(files);
}

int dj_stacks_debug_files_add(struct dj_stacks_debug_files *files, const char *path,
                              struct dj_error *err)
{
    if (access(path, R_OK) != 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            path, strerror(errno));
    }
    DJ_XPUSH(files->folders, files->folder_count, dj_xstrdup(path));
    return 0;
}

static void note_unreadable(struct dj_stacks_debug_files *files, const char *path,
                            int reason)
{
    if (files->unreadable_count < DJ_STACKS_UNREADABLE_MOST) {
        const struct dj_stacks_unreadable unreadable = {dj_xstrdup(path), reason};
        DJ_XPUSH(files->unreadable, files->unreadable_count, unreadable);
    }
}

static void add_file(struct dj_stacks_debug_files *files, const char *path)
{
    struct found_file file = {.path = NULL};
    if (dj_stacks_elf_identify(path, &file.id, &file.has_symbols) && file.id.length > 0) {
        file.path = dj_xstrdup(path);
        DJ_XPUSH(files->found, files->found_count, file);
    } else if (access(path, R_OK) != 0 && errno == EACCES) {
        note_unreadable(files, path, errno);
    }
}

const struct dj_stacks_unreadable *
dj_stacks_debug_files_get_unreadable(const struct dj_stacks_debug_files *files,
                                     size_t *count)
{
    *count = files != NULL ? files->unreadable_count : 0;
    return files != NULL ? files->unreadable : NULL;
}

/* Searches a folder and its sub-folders for ELF files. Follows links to files, such as
 * those in .build-id, but not links to folders, because these may form circles. */
static void search_folder(struct dj_stacks_debug_files *files, char *folder)
{
    char *roots[] = {folder, NULL};
    const FTSENT *entry;
    FTS *tree =
        fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR | FTS_XDEV, NULL);
    while (tree != NULL && (entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL) {
            add_file(files, entry->fts_path);
        } else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR ||
                   entry->fts_info == FTS_NS) {
            note_unreadable(files, entry->fts_path, entry->fts_errno);
        }
    }
    if (tree != NULL) {
        fts_close(tree);
    } else {
        note_unreadable(files, folder, errno);
    }
}

static void search_all(struct dj_stacks_debug_files *files)
{
    while (files->searched < files->folder_count) {
        search_folder(files, files->folders[files->searched++]);
    }
}

static struct dj_stacks_elf *open_found(struct dj_stacks_debug_files *files,
                                        const struct dj_stacks_build_id *id)
{
    const struct found_file *best = NULL;
    struct dj_stacks_elf *elf = NULL;
    search_all(files);
    for (size_t i = 0; i < files->found_count; i++) {
        const struct found_file *file = &files->found[i];
        if (dj_stacks_build_id_equal(&file->id, id) &&
            (best == NULL || (file->has_symbols && !best->has_symbols))) {
            best = file;
        }
    }
    if (best != NULL && dj_stacks_elf_open(best->path, &elf, NULL) == 0 &&
        !dj_stacks_build_id_equal(dj_stacks_elf_build_id(elf), id)) {
        /* The file was replaced after the folder was searched. */
        dj_stacks_elf_close(elf);
        elf = NULL;
    }
    return elf;
}

struct dj_stacks_elf *dj_stacks_debug_files_open(struct dj_stacks_debug_files *files,
                                                 const struct dj_stacks_build_id *id)
{
    struct dj_stacks_elf *elf = NULL;
    if (id->length == 0) {
        return NULL;
    }
    for (size_t i = 0; files != NULL && i < files->folder_count && elf == NULL; i++) {
        elf = dj_elf_open_build_id(files->folders[i], id);
    }
    if (elf == NULL && files != NULL) {
        elf = open_found(files, id);
    }
    return elf != NULL ? elf : dj_elf_open_build_id("/usr/lib/debug", id);
}

/* Returns true if the file name of the path is `name` or NAME.debug. */
static bool has_name(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    size_t length = strlen(name);
    return strncmp(base, name, length) == 0 &&
           (base[length] == '\0' || strcmp(base + length, ".debug") == 0);
}

const char *dj_stacks_debug_files_find_other(struct dj_stacks_debug_files *files,
                                             const char *name,
                                             const struct dj_stacks_build_id *id,
                                             struct dj_stacks_build_id *other)
{
    search_all(files);
    for (size_t i = 0; i < files->found_count; i++) {
        const struct found_file *file = &files->found[i];
        if (has_name(file->path, name) && !dj_stacks_build_id_equal(&file->id, id)) {
            *other = file->id;
            return file->path;
        }
    }
    return NULL;
}
