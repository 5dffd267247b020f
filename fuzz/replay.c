/* Replays a folder of inputs through a fuzz target, as a test: `fuzz-NAME FOLDER`. Each
 * input is a heap block of exactly its size, so that ASan sees a read past its end. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a file. The caller frees the bytes. Returns NULL after an error. */
static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL) {
        return NULL;
    }
    uint8_t *bytes = NULL;
    if (fstat(fileno(file), &status) == 0) {
        *size = (size_t)status.st_size;
        bytes = malloc(*size > 0 ? *size : 1);
        if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static int replay(const char *folder, const char *name)
{
    char path[4096];
    size_t size = 0;
    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path)) {
        return 0;
    }
    uint8_t *bytes = read_whole(path, &size);
    if (bytes == NULL) {
        perror(path);
        return 0;
    }
    fprintf(stderr, "%s, %zu bytes\n", path, size);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s FOLDER (of inputs; it must exist)\n", argv[0]);
        return 2;
    }
    int inputs = 0, replayed = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            inputs++;
            replayed += replay(argv[1], entry->d_name);
        }
    }
    closedir(folder);
    printf("%d of %d inputs replayed\n", replayed, inputs);
    return inputs > 0 && replayed == inputs ? 0 : 1;
}
