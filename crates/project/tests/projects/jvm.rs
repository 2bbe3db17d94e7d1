//! Java and Kotlin: Maven and Gradle.

use crate::support::{Case, check};

const CASES: &[Case] = &[
    (
        "a multi-module build of Maven",
        r#"
//- pom.xml
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.example</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging>
  <properties><src.dir>code</src.dir><core.name>core</core.name></properties>
  <modules><module>core</module><module>app</module><module>gone</module></modules>
  <profiles><profile><modules><module>extra/pom.xml</module></modules></profile></profiles>
</project>
//- core/pom.xml
<project><parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>1</version></parent>
  <artifactId>${core.name}</artifactId></project>
//- app/pom.xml
<project><parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>1</version></parent>
  <artifactId>app</artifactId>
  <dependencies>
    <dependency><groupId>${project.groupId}</groupId><artifactId>core</artifactId><version>${project.version}</version></dependency>
    <dependency><groupId>org.example</groupId><artifactId>extra</artifactId><scope>test</scope></dependency>
    <dependency><groupId>com.other</groupId><artifactId>core</artifactId></dependency>
  </dependencies>
  <build><sourceDirectory>${src.dir}/main</sourceDirectory><testSourceDirectory>${project.basedir}/checks</testSourceDirectory>
    <plugins><plugin><executions><execution><goals><goal>add-source</goal></goals>
      <configuration><sources><source>gen/java</source></sources></configuration></execution></executions></plugin></plugins></build>
</project>
//- extra/pom.xml
<project><groupId>org.example</groupId><artifactId>extra</artifactId></project>
//- core/src/main/java/org/A.java core/src/test/java/org/T.java core/src/main/kotlin/B.kt app/code/main/C.java"#,
        &[
            ("members pom.xml", "core app extra !gone/pom.xml"),
            ("refs app/pom.xml", "core>core/pom.xml extra>extra/pom.xml~"),
            (
                "core/pom.xml /jvm",
                r#"{"group":"org.example","version":"1","artifact":"core"}"#,
            ),
            (
                "core/pom.xml /sourceRoots",
                r#"[{"path":"core/src/main/java"},{"path":"core/src/main/kotlin"},{"path":"core/src/test/java","test":true}]"#,
            ),
            (
                "app/pom.xml /sourceRoots",
                r#"[{"path":"app/code/main","declared":true},{"path":"app/checks","test":true,"declared":true},{"path":"app/gen/java","declared":true}]"#,
            ),
            ("of app/code/main/C.java", "app/pom.xml"),
            ("problems", "pom.xml:4:53 “gone/pom.xml” does not exist."),
        ],
    ),
    (
        "Maven: circles, broken files, properties without end",
        r#"
//- a/pom.xml
<project><groupId>g</groupId><artifactId>a</artifactId><dependencies><dependency><groupId>g</groupId><artifactId>b</artifactId></dependency></dependencies></project>
//- b/pom.xml
<project><groupId>g</groupId><artifactId>b</artifactId><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId></dependency></dependencies></project>
//- c/pom.xml
<project><groupId>${x}</groupId><artifactId>c</artifactId><properties><x>${x}${x}</x></properties><modules><module>
//- d/pom.xml
nothing
//- d/src/main/java/D.java"#,
        &[
            ("of d/src/main/java/D.java", "d/pom.xml"),
            ("d/pom.xml /sourceRoots/0/path", r#""d/src/main/java""#),
            ("c/pom.xml /name", r#""c""#),
        ],
    ),
    (
        "Gradle in Groovy",
        r#"
//- settings.gradle
pluginManagement { includeBuild 'build-logic' }
rootProject.name = 'whole'
include 'app', ':libs:core' // , ':not:this'
include(
    ":named",
    "gone",
)
/* include 'nor:this' */
include "${prefix}:unknown"
project(':named').projectDir = new File(rootDir, 'elsewhere/named')
includeBuild '../far'
//- build-logic/settings.gradle
rootProject.name = "logic"
//- build.gradle
subprojects { apply plugin: 'java' }
project(':app') { }
//- app/build.gradle
group = 'org.example'
dependencies {
    implementation project(':libs:core')
    testImplementation(project(path: ':named', configuration: 'x'))
    api 'com.other:lib:1.0'
    // runtimeOnly project(':commented')
    implementation project(':absent')
}
sourceSets { main { java { srcDirs = ['src', 'gen'] } }
  test { java.srcDir 'checks' } }
//- libs/core/build.gradle
//- elsewhere/named/build.gradle
//- app/src/A.java libs/core/src/main/java/B.java libs/core/src/integrationTest/kotlin/I.kt"#,
        &[
            (
                "members settings.gradle",
                "whole app gone libs core named logic <../far>",
            ),
            (
                "refs app/build.gradle",
                ":libs:core>libs/core/build.gradle :named>elsewhere/named/build.gradle~",
            ),
            (
                "app/build.gradle /sourceRoots",
                r#"[{"path":"app/src","declared":true},{"path":"app/gen","declared":true},{"path":"app/checks","test":true,"declared":true}]"#,
            ),
            (
                "libs/core/build.gradle /sourceRoots",
                r#"[{"path":"libs/core/src/integrationTest/kotlin","test":true},{"path":"libs/core/src/main/java"}]"#,
            ),
            (
                "app/build.gradle /jvm",
                r#"{"group":"org.example","artifact":":app"}"#,
            ),
            (
                "of libs/core/src/main/java/B.java",
                "libs/core/build.gradle",
            ),
            (
                "problems",
                "app/build.gradle:7:28 The build has no project “:absent”. | settings.gradle:6:5 The folder “gone” of project “:gone” does not exist.",
            ),
        ],
    ),
    (
        "Gradle in Kotlin",
        r#"
//- settings.gradle.kts
rootProject.name = "kt"
include(":feature:data-store", ":old")
project(":old").name = "new-name"
//- feature/data-store/build.gradle.kts
plugins { kotlin("jvm") }
kotlin { sourceSets { val commonTest by getting { dependencies { implementation(projects.newName) } } } }
//- old/build.gradle.kts
dependencies {
    api(projects.feature.dataStore)
    implementation(projects.nothing.here)
}
//- feature/data-store/src/commonMain/kotlin/D.kt old/O.kt"#,
        &[
            (
                "members settings.gradle.kts",
                "kt feature data-store new-name",
            ),
            (
                "refs old/build.gradle.kts",
                ":feature:data-store>feature/data-store/build.gradle.kts",
            ),
            (
                "refs feature/data-store/build.gradle.kts",
                ":new-name>old/build.gradle.kts~",
            ),
            (
                "feature/data-store/build.gradle.kts /sourceRoots/0/path",
                r#""feature/data-store/src/commonMain/kotlin""#,
            ),
            ("problems", ""),
        ],
    ),
    (
        "a script alone, a folder without a manifest, two build tools in one folder",
        r#"
//- one/build.gradle
dependencies { implementation project(':x') }
//- both/pom.xml
<project><artifactId>both</artifactId></project>
//- both/build.gradle
//- one/src/main/java/A.java both/src/main/java/B.java loose/src/main/java/C.java loose/src/test/java/T.java"#,
        &[
            ("of one/src/main/java/A.java", "one/build.gradle"),
            (
                "owners both/src/main/java/B.java",
                "both/pom.xml both/build.gradle",
            ),
            (
                ". /sourceRoots",
                r#"[{"path":"loose/src/main/java"},{"path":"loose/src/test/java","test":true}]"#,
            ),
        ],
    ),
];

#[test]
fn jvm_projects() {
    check(CASES);
}
