/* Numbers the nodes of the lattice and goes through them. Whatever looks at many nodes calls it. */
#include "search/node/node.h"

uint64_t mgl_lattice_size(const uint32_t *min_level, const uint32_t *max_level, size_t n)
{
    uint64_t size = 1;
    for (size_t a = 0; a < n; a++) {
        uint64_t levels = (uint64_t)max_level[a] - min_level[a] + 1;
        if (size > UINT64_MAX / levels)
            return UINT64_MAX;
        size *= levels;
    }
    return size;
}

bool mgl_lattice_next(uint32_t *node, const uint32_t *min_level, const uint32_t *max_level,
                      size_t n)
{
    for (size_t a = n; a-- > 0;) {
        if (node[a] < max_level[a]) {
            node[a]++;
            return true;
        }
        node[a] = min_level[a];
    }
    return false;
}

void mgl_lattice_node(uint64_t number, const uint32_t *min_level, const uint32_t *max_level,
                      size_t n, uint32_t *node)
{
    for (size_t a = n; a-- > 0;) {
        uint64_t levels = (uint64_t)max_level[a] - min_level[a] + 1;
        node[a] = min_level[a] + (uint32_t)(number % levels);
        number /= levels;
    }
}

uint64_t mgl_node_height(const uint32_t *node, size_t n)
{
    uint64_t height = 0;
    for (size_t a = 0; a < n; a++)
        height += node[a];
    return height;
}
