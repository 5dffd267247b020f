/* reloaded LIBRARY…
 *
 * Opens each library and finds its swap function with the handle. Presents five frames,
 * and five more with the function that RTLD_DEFAULT finds. Then closes the library. If
 * it was unloaded, its old addresses become inaccessible, so a call to them crashes. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>

typedef void swap_function(void *display, unsigned long drawable);

enum { FRAMES = 5, SIZE = 16384 };

static int present(void *handle)
{
    swap_function *swap = (swap_function *)dlsym(handle, "glXSwapBuffers");
    for (int i = 0; swap != NULL && i < FRAMES; i++) {
        swap(NULL, 5);
    }
    return swap != NULL ? FRAMES : 0;
}

int main(int argc, char **argv)
{
    struct link_map *map;
    int frames = 0;
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        frames += present(library);
        frames += present(RTLD_DEFAULT);
        dlinfo(library, RTLD_DI_LINKMAP, &map);
        void *place = (void *)map->l_addr;
        dlclose(library);
        mmap(place, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
             -1, 0);
    }
    printf("%d frames\n", frames);
    return 0;
}
