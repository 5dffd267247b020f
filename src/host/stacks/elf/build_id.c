#include <string.h>

#include "base/compare.h"
#include "base/hex.h"
#include "base/text.h"
#include "stacks/elf/file.h"

void dj_stacks_build_id_format(const struct dj_stacks_build_id *id,
                               char text[DJ_STACKS_BUILD_ID_TEXT])
{
    dj_hex_write(text, id->bytes, DJ_LEAST(id->length, DJ_STACKS_BUILD_ID_MAX));
}

bool dj_stacks_build_id_equal(const struct dj_stacks_build_id *one,
                              const struct dj_stacks_build_id *other)
{
    return one->length > 0 && one->length == other->length &&
           memcmp(one->bytes, other->bytes, one->length) == 0;
}

/* Opens FOLDER/xx/yy.debug, or FOLDER/.build-id/xx/yy.debug, if it has the build-id.
 * Returns NULL otherwise. */
static struct dj_stacks_elf *open_in(const char *folder, const char *between,
                                     const struct dj_stacks_build_id *id)
{
    char digits[DJ_STACKS_BUILD_ID_TEXT];
    struct dj_text path = {0};
    struct dj_stacks_elf *elf = NULL;
    dj_stacks_build_id_format(id, digits);
    dj_text_format(&path, "%s%s/%.2s/%s.debug", folder, between, digits, digits + 2);
    if (!path.failed && dj_stacks_elf_open(dj_text_get(&path), &elf, NULL) == 0 &&
        !dj_stacks_build_id_equal(id, &elf->build_id)) {
        dj_stacks_elf_close(elf);
        elf = NULL;
    }
    dj_text_finish(&path);
    return elf;
}

struct dj_stacks_elf *dj_elf_open_build_id(const char *folder,
                                           const struct dj_stacks_build_id *id)
{
    struct dj_stacks_elf *elf = NULL;
    if (id->length > 1) {
        elf = open_in(folder, "/.build-id", id);
        elf = elf != NULL ? elf : open_in(folder, "", id);
    }
    return elf;
}
